import assert from 'node:assert/strict'
import type { NewDelivery } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import { buildDeliveryChange, buildRecovery, buildWebhook, deliveriesTo, claimAt } from './fixtures/webhooks.ts'

export const recoveryCases: StoreCase[] = [
  {
    title: 'a recovery is stored unchanged, and only its account finds it',
    run: async ({ store, reopen }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const recovery = buildRecovery(webhook)
      await store.recoveries.add(recovery)
      assert.deepEqual(await store.recoveries.find('acme', recovery.id), recovery)
      assert.equal(await store.recoveries.find('zeta', recovery.id), null)
      assert.equal(await store.recoveries.find('acme', 'nothing'), null)
      assert.deepEqual(await (await reopen()).recoveries.find('acme', recovery.id), recovery)
    }
  },
  {
    title: 'a step of a recovery requeues deliveries and records progress atomically',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [first, second, third] = (await deliveriesTo(store, webhook, 3)) as [NewDelivery, NewDelivery, NewDelivery]
      await store.deliveries.recordAttempts(
        [first, second, third].map((delivery) =>
          buildDeliveryChange(delivery, 10, { status: 'failed', nextAttemptAt: null })
        )
      )
      const recovery = buildRecovery(webhook)
      await store.recoveries.add(recovery)
      const step = {
        change: { afterSequence: 2, examined: 2, requeued: 2 },
        requeue: [first.id, second.id],
        at: minute(20)
      }
      assert.equal(
        await store.recoveries.advance({ accountId: 'acme', id: recovery.id, afterSequence: 1 }, step),
        false
      )
      assert.equal(
        await store.recoveries.advance({ accountId: 'zeta', id: recovery.id, afterSequence: 0 }, step),
        false
      )
      assert.equal(await store.recoveries.advance({ accountId: 'acme', id: 'nothing', afterSequence: 0 }, step), false)
      assert.deepEqual(await store.recoveries.find('acme', recovery.id), recovery)
      assert.deepEqual(await claimAt(store, webhook, 99), [])

      assert.equal(await store.recoveries.advance({ accountId: 'acme', id: recovery.id, afterSequence: 0 }, step), true)
      assert.deepEqual(await store.recoveries.find('acme', recovery.id), { ...recovery, ...step.change })
      assert.equal((await store.deliveries.find('acme', first.id))?.delivery.nextAttemptAt, minute(20))
      assert.deepEqual(await claimAt(store, webhook, 19), [])
      assert.deepEqual(await claimAt(store, webhook, 20), [1, 2])
      assert.equal(
        await store.recoveries.advance(
          { accountId: 'acme', id: recovery.id, afterSequence: 0 },
          { ...step, requeue: [third.id] }
        ),
        false,
        'the same step again'
      )
      assert.equal((await store.deliveries.find('acme', third.id))?.delivery.status, 'failed')
    }
  },
  {
    title: 'running recoveries are listed until they are done, and a done one does not advance',
    run: async ({ store }) => {
      const [webhook, other] = [buildWebhook(), buildWebhook({ accountId: 'zeta' })]
      for (const each of [webhook, other]) await store.webhooks.add(each, 50)
      const [one, two] = [buildRecovery(webhook), buildRecovery(other)]
      for (const each of [one, two]) await store.recoveries.add(each)
      const running = async () =>
        (await sweepList(store.recoveries.unfinished)).toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))
      assert.deepEqual(await running(), [
        { accountId: 'acme', id: one.id },
        { accountId: 'zeta', id: two.id }
      ])
      const end = { change: { status: 'done' as const, finishedAt: minute(5) }, requeue: [], at: minute(5) }
      assert.equal(await store.recoveries.advance({ accountId: 'acme', id: one.id, afterSequence: 0 }, end), true)
      assert.equal((await store.recoveries.find('acme', one.id))?.finishedAt, minute(5))
      assert.equal(await store.recoveries.advance({ accountId: 'acme', id: one.id, afterSequence: 0 }, end), false)
      assert.deepEqual(await running(), [{ accountId: 'zeta', id: two.id }])
    }
  },
  {
    title: 'old finished recoveries are swept with the events, and running ones are not',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const done = { status: 'done' as const }
      const [old, young, running] = [
        buildRecovery(webhook, { ...done, finishedAt: minute(1) }),
        buildRecovery(webhook, { ...done, finishedAt: minute(5) }),
        buildRecovery(webhook)
      ]
      for (const each of [old, young, running]) await store.recoveries.add(each)
      assert.equal(await store.events.deleteBefore(minute(5), 10), 0)
      assert.equal(await store.recoveries.find('acme', old.id), null)
      assert.deepEqual(await store.recoveries.find('acme', young.id), young)
      assert.deepEqual(await store.recoveries.find('acme', running.id), running)
    }
  }
]
