import t from 'tap'
import { createRecorder, type Saved } from '../../../services/webhooks/recorder.ts'
import { buildDeliveryChange, buildWebhook, deliveriesTo } from '../../contracts/store/fixtures/webhooks.ts'
import { openTestStore, temporaryFolder } from '../../helper.ts'

t.test('attempts that end together are saved together, at once when no other is in progress', async (t) => {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const webhook = buildWebhook()
  const updates = (await deliveriesTo(store, webhook, 4)).map((delivery) => buildDeliveryChange(delivery, 1))
  const batches: number[] = []
  const recorder = createRecorder({
    ...store,
    deliveries: {
      ...store.deliveries,
      async recordAttempts(batch) {
        batches.push(batch.length)
        await store.deliveries.recordAttempts(batch)
      }
    }
  })
  const saved: Promise<unknown>[] = []
  const end = (index: number): void => {
    saved.push(
      new Promise((resolve) => {
        recorder.record([updates[index]!], 100, resolve)
      })
    )
    recorder.ended()
  }
  for (let index = 0; index < updates.length; index++) recorder.started()
  end(0)
  end(1)
  t.same(batches, [], 'others will join these')
  recorder.ended()
  t.same(batches, [], 'also after an attempt without a result')
  end(2)
  t.same(batches, [3])
  recorder.started()
  end(3)
  t.same(batches, [3], 'a batch is being saved')
  t.same(await Promise.all(saved), [null, null, null, null])
  t.same(batches, [3, 1])
  const { deliveries } = await store.deliveries.list(
    { accountId: 'acme', webhookId: webhook.id },
    { page: 1, pageSize: 9 }
  )
  t.same(
    deliveries.map(({ attempts }) => attempts),
    [1, 1, 1, 1]
  )
})

t.test('attempts with large responses are saved before many have gathered', async (t) => {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const updates = (await deliveriesTo(store, buildWebhook(), 3)).map((delivery) => buildDeliveryChange(delivery, 1))
  const recorder = createRecorder(store)
  const saved: Promise<unknown>[] = []
  const record = (index: number, length: number): void => {
    saved.push(
      new Promise((resolve) => {
        recorder.record([updates[index]!], length, resolve)
      })
    )
  }
  for (let index = 0; index < updates.length; index++) recorder.started()
  const batches: number[] = []
  const { recordAttempts } = store.deliveries
  store.deliveries.recordAttempts = async (batch) => {
    batches.push(batch.length)
    await recordAttempts(batch)
  }
  record(0, 300_000)
  t.same(batches, [])
  record(1, 300_000)
  t.same(batches, [2])
  record(2, 300_000)
  t.same(batches, [2], 'the next batch begins')
  for (let index = 0; index < updates.length; index++) recorder.ended()
  t.same(await Promise.all(saved), [null, null, null])
  t.same(batches, [2, 1])
})

t.test(
  'a listener is called once for all of its results in a batch, and a busy one does not wait for others',
  async (t) => {
    const store = await openTestStore(temporaryFolder(t))
    t.teardown(() => store.close())
    const deliveries = await deliveriesTo(store, buildWebhook(), 514)
    const updates = deliveries.map((delivery) => buildDeliveryChange(delivery, 1))
    const recorder = createRecorder(store)
    const calls: unknown[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = (name: string) => (error: unknown, saved: Saved) => {
      calls.push([name, error, saved])
      if (calls.length === 3) resolve()
    }
    const [busy, other] = [listener('busy'), listener('other')]
    for (let index = 0; index < updates.length; index++) recorder.started()
    recorder.record([updates[0]!], 7, other)
    for (const update of updates.slice(1, 513)) recorder.record([update], 10, busy)
    recorder.record([updates[513]!], 9, busy)
    for (let index = 0; index < updates.length; index++) recorder.ended()
    await promise
    t.strictSame(calls, [
      ['other', null, { results: 1, length: 7 }],
      ['busy', null, { results: 512, length: 5120 }],
      ['busy', null, { results: 1, length: 9 }]
    ])
  }
)
