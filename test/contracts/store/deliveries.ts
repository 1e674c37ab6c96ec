import assert from 'node:assert/strict'
import type { DeliveryFilter, NewDelivery, Store } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import {
  buildDeliveryChange,
  buildDelivery,
  buildAttempt,
  buildEvent,
  buildWebhook,
  DELIVERED,
  deliveriesTo,
  toDeliveryRecord,
  sequencesOf,
  claimAt
} from './fixtures/webhooks.ts'

const find = async (store: Store, { accountId, id }: NewDelivery) => await store.deliveries.find(accountId, id)
const due = async (store: Store, now: number) =>
  (await sweepList((page) => store.deliveries.dueWebhooks(minute(now), page))).map(({ webhookId }) => webhookId)

const addingCases: StoreCase[] = [
  {
    title: 'a delivery is stored unchanged, with the bytes of its event and its sequence',
    run: async ({ store }) => {
      const [webhook, event] = [buildWebhook(), buildEvent({ projectId: 'shop' })]
      await store.webhooks.add(webhook, 50)
      await store.events.add([event])
      const delivery = buildDelivery(webhook, event, { createdAt: minute(2), nextAttemptAt: minute(3) })
      await store.deliveries.add([delivery])
      assert.deepEqual(await find(store, delivery), {
        delivery: toDeliveryRecord(delivery, 1),
        attemptLog: [],
        head: event.head,
        tail: event.tail
      })
      assert.equal(await store.deliveries.find('zeta', delivery.id), null)
      assert.equal(await store.deliveries.find('acme', 'nothing'), null)
    }
  },
  {
    title: 'deliveries of a webhook are numbered in the order of their addition, including skipped ones',
    run: async ({ store }) => {
      const [one, two, events] = [
        buildWebhook(),
        buildWebhook(),
        [buildEvent({ timestamp: minute(3) }), buildEvent({ timestamp: minute(2) }), buildEvent()]
      ]
      for (const webhook of [one, two]) await store.webhooks.add(webhook, 50)
      await store.events.add(events)
      const [a, b, c] = events.map((event) =>
        buildDelivery(one, event, { status: 'skipped', nextAttemptAt: null })
      ) as [NewDelivery, NewDelivery, NewDelivery]
      await store.deliveries.add([a, ...events.map((event) => buildDelivery(two, event)), b])
      await store.deliveries.add([c])
      const { deliveries } = await store.deliveries.list(
        { accountId: 'acme', webhookId: one.id },
        { page: 1, pageSize: 10 }
      )
      assert.deepEqual(deliveries, [toDeliveryRecord(c, 3), toDeliveryRecord(b, 2), toDeliveryRecord(a, 1)])
      assert.deepEqual(await sequencesOf(store, two), [3, 2, 1])
    }
  },
  {
    title: 'a repeated addition of a delivery changes nothing and uses no sequence',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const events = Array.from({ length: 8 }, () => buildEvent())
      await store.events.add(events)
      await Promise.all(
        Array.from({ length: 5 }, () => store.deliveries.add(events.map((event) => buildDelivery(webhook, event))))
      )
      const late = buildEvent()
      await store.events.add([late])
      await store.deliveries.add([buildDelivery(webhook, late)])
      assert.deepEqual(await sequencesOf(store, webhook), [9, 8, 7, 6, 5, 4, 3, 2, 1])
    }
  }
]

const takingCases: StoreCase[] = [
  {
    title: 'due deliveries are claimed in order of sequence, and a claim lasts until its lease ends',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await deliveriesTo(store, webhook, 5)
      assert.deepEqual(await claimAt(store, webhook, 0), [])
      assert.deepEqual(await claimAt(store, webhook, 3, { limit: 2 }), [1, 2])
      assert.deepEqual(await claimAt(store, webhook, 4), [3, 4])
      assert.deepEqual(await claimAt(store, webhook, 4), [])
      assert.deepEqual(await claimAt(store, webhook, 7, { limit: 9 }), [5])
      assert.deepEqual(await claimAt(store, webhook, 8, { limit: 9 }), [1, 2])
      assert.deepEqual(await claimAt(store, buildWebhook(), 8), [])
    }
  },
  {
    title: 'a claimed delivery has the bytes and project of its event, and its lease',
    run: async ({ store }) => {
      const [webhook, event] = [buildWebhook(), buildEvent({ projectId: 'shop' })]
      await store.webhooks.add(webhook, 50)
      await store.events.add([event])
      const delivery = buildDelivery(webhook, event)
      await store.deliveries.add([delivery])
      const taken = await store.deliveries.claim(webhook.id, {
        now: minute(1),
        leaseUntil: minute(6),
        limit: 10,
        maxInFlight: 10
      })
      const leased = { ...toDeliveryRecord(delivery, 1), leasedUntil: minute(6) }
      const claimed = taken.map(({ row: _row, ...fields }) => fields)
      assert.deepEqual(claimed, [{ delivery: leased, head: event.head, tail: event.tail, projectId: 'shop' }])
      assert.deepEqual((await find(store, delivery))?.delivery, leased)
    }
  },
  {
    title: 'a claim of large events ends early, with one delivery at least',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const lengths = [10, 300_000, 100_000, 200_000, 1]
      const events = lengths.map((length) => buildEvent({ tail: 'é'.repeat(length / 2) }))
      await store.events.add(events)
      await store.deliveries.add(events.map((event) => buildDelivery(webhook, event)))
      for (const claimed of [[1], [2], [3], [4, 5], []]) {
        assert.deepEqual(await claimAt(store, webhook, 9, { maxBytes: 250_000 }), claimed)
      }
    }
  },
  {
    title: 'claims never exceed maxInFlight, and a recorded attempt allows the next claim',
    run: async ({ store }) => {
      const [webhook, other] = [buildWebhook(), buildWebhook()]
      const [first, second] = await deliveriesTo(store, webhook, 6)
      await deliveriesTo(store, other, 1)
      assert.deepEqual(await claimAt(store, webhook, 9, { maxInFlight: 3 }), [1, 2, 3])
      assert.deepEqual(await claimAt(store, webhook, 9, { maxInFlight: 3 }), [])
      assert.deepEqual(await claimAt(store, webhook, 9, { maxInFlight: 2 }), [])
      assert.deepEqual(await claimAt(store, other, 9, { maxInFlight: 1 }), [1])
      await store.deliveries.recordAttempts([buildDeliveryChange(first as NewDelivery, 1, DELIVERED)])
      await store.deliveries.release(webhook.id, [(second as NewDelivery).id])
      assert.deepEqual(await claimAt(store, webhook, 9, { maxInFlight: 3, limit: 1 }), [2])
      assert.deepEqual(await claimAt(store, webhook, 9, { maxInFlight: 3 }), [4])
      assert.deepEqual(
        await claimAt(store, webhook, 14, { maxInFlight: 4 }),
        [2, 3, 4, 5],
        'leases that have ended do not count'
      )
    }
  },
  {
    title: 'a first claim returns deliveries only while none of the webhook is claimed',
    run: async ({ store }) => {
      const [webhook, other] = [buildWebhook(), buildWebhook()]
      for (const each of [webhook, other]) await deliveriesTo(store, each, 4)
      assert.deepEqual(await claimAt(store, webhook, 9, { limit: 2, isFirst: true }), [1, 2])
      assert.deepEqual(await claimAt(store, webhook, 9, { limit: 2, isFirst: true }), [])
      assert.deepEqual(await claimAt(store, other, 9, { limit: 2, isFirst: true }), [1, 2])
      assert.deepEqual(await claimAt(store, webhook, 9, { limit: 1 }), [3])
      assert.deepEqual(await claimAt(store, webhook, 99, { limit: 1, isFirst: true }), [1], 'after the leases')
    }
  },
  {
    title: 'concurrent claims never return the same delivery',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await deliveriesTo(store, webhook, 20)
      const taken = await Promise.all(
        Array.from({ length: 6 }, () => claimAt(store, webhook, 99, { limit: 5, maxInFlight: 18 }))
      )
      assert.deepEqual(
        taken.flat().toSorted((a, b) => a - b),
        Array.from({ length: 18 }, (_, at) => at + 1)
      )
    }
  },
  {
    title: 'thousands of due deliveries are claimed in order of sequence, without those that wait',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const deliveries = await deliveriesTo(store, webhook, 1500)
      await store.deliveries.recordAttempts(
        deliveries.slice(0, 300).map((delivery) => buildDeliveryChange(delivery, 1, { nextAttemptAt: minute(9000) }))
      )
      assert.deepEqual(await claimAt(store, webhook, 5000, { limit: 3 }), [301, 302, 303])
      assert.deepEqual(await claimAt(store, webhook, 5000, { limit: 2 }), [304, 305])
      assert.deepEqual(await claimAt(store, webhook, 9000, { limit: 3 }), [1, 2, 3])
    }
  },
  {
    title: 'a released delivery is due again, without an attempt',
    run: async ({ store }) => {
      const [webhook, other] = [buildWebhook(), buildWebhook()]
      const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
      const [theirs] = (await deliveriesTo(store, other, 1)) as [NewDelivery]
      for (const each of [webhook, other]) await claimAt(store, each, 5)
      await store.deliveries.release(webhook.id, [first.id, theirs.id, 'nothing'])
      assert.deepEqual((await find(store, first))?.delivery, toDeliveryRecord(first, 1))
      assert.equal((await find(store, second))?.delivery.leasedUntil, minute(10))
      assert.equal((await find(store, theirs))?.delivery.leasedUntil, minute(10))
      assert.deepEqual(await claimAt(store, webhook, 5), [1])
    }
  }
]

const recordingCases: StoreCase[] = [
  {
    title: 'a recorded attempt ends the lease and returns the state of the delivery',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
      await claimAt(store, webhook, 5)
      await store.deliveries.recordAttempts([
        buildDeliveryChange(first, 1),
        {
          ...buildDeliveryChange(second, 1, DELIVERED),
          attempt: buildAttempt(1, { status: 200, error: null, response: 'x'.repeat(16_384) })
        },
        { ...buildDeliveryChange(first, 1), id: 'nothing' },
        { ...buildDeliveryChange(first, 2), webhookId: buildWebhook().id }
      ])
      const failed = {
        ...toDeliveryRecord(first, 1),
        attempts: 1,
        round: 1,
        nextAttemptAt: minute(11),
        lastStatus: 500,
        lastError: 'http_5xx'
      }
      const delivered = { ...toDeliveryRecord(second, 2), attempts: 1, round: 1, ...DELIVERED }
      assert.deepEqual((await find(store, first))?.delivery, failed)
      assert.deepEqual((await find(store, first))?.attemptLog, [buildAttempt(1)])
      assert.deepEqual((await find(store, second))?.delivery, delivered)
      assert.deepEqual((await find(store, second))?.attemptLog, [
        buildAttempt(1, { status: 200, error: null, response: 'x'.repeat(16_384) })
      ])
      assert.deepEqual(await claimAt(store, webhook, 10), [])
      assert.deepEqual(await claimAt(store, webhook, 11), [1])
    }
  },
  {
    title: 'recording an attempt again changes neither the log nor a delivered state',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
      const success = buildDeliveryChange(first, 1, DELIVERED)
      await store.deliveries.recordAttempts([success])
      await store.deliveries.recordAttempts([
        success,
        { ...buildDeliveryChange(first, 1), attempt: buildAttempt(1, { detail: 'again' }) }
      ])
      assert.equal((await find(store, first))?.delivery.status, 'delivered')
      assert.deepEqual((await find(store, first))?.attemptLog, [success.attempt])
      await store.deliveries.recordAttempts([buildDeliveryChange(second, 1), buildDeliveryChange(second, 1, DELIVERED)])
      assert.equal((await find(store, second))?.delivery.status, 'delivered')
      assert.equal((await find(store, second))?.attemptLog.length, 1)
    }
  },
  {
    title: 'the latest 50 attempts of a delivery are stored in order',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
      await store.deliveries.recordAttempts([buildDeliveryChange(second, 1)])
      for (const after of [0, 26]) {
        await store.deliveries.recordAttempts(
          Array.from({ length: 26 }, (_, at) => buildDeliveryChange(first, after + at + 1))
        )
      }
      const found = await find(store, first)
      assert.equal(found?.delivery.attempts, 52)
      assert.deepEqual(
        found?.attemptLog.map(({ number }) => number),
        Array.from({ length: 50 }, (_, at) => at + 3)
      )
      assert.equal((await find(store, second))?.attemptLog.length, 1)
    }
  },
  {
    title: 'deliveries in any state can be requeued in a new round, except those in flight',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [done, failed, tried, waiting, over] = (await deliveriesTo(store, webhook, 5)) as [
        NewDelivery,
        NewDelivery,
        NewDelivery,
        NewDelivery,
        NewDelivery
      ]
      await claimAt(store, webhook, 3)
      await store.deliveries.recordAttempts([
        buildDeliveryChange(done, 3, DELIVERED),
        buildDeliveryChange(failed, 10, { status: 'failed', nextAttemptAt: null })
      ])
      assert.equal(await store.deliveries.requeue('zeta', [done.id], minute(6)), 0)
      assert.equal(
        await store.deliveries.requeue(
          'acme',
          [done.id, failed.id, tried.id, waiting.id, done.id, 'nothing'],
          minute(6)
        ),
        3
      )
      const again = {
        status: 'pending',
        round: 0,
        nextAttemptAt: minute(6),
        leasedUntil: null,
        deliveredAt: null
      } as const
      assert.deepEqual((await find(store, done))?.delivery, {
        ...toDeliveryRecord(done, 1),
        attempts: 3,
        lastStatus: 200,
        ...again
      })
      assert.deepEqual((await find(store, failed))?.delivery, {
        ...toDeliveryRecord(failed, 2),
        attempts: 10,
        lastStatus: 500,
        lastError: 'http_5xx',
        ...again
      })
      assert.equal((await find(store, failed))?.attemptLog.length, 1)
      assert.equal((await find(store, tried))?.delivery.leasedUntil, minute(8))
      assert.deepEqual((await find(store, waiting))?.delivery, { ...toDeliveryRecord(waiting, 4), ...again })
      assert.deepEqual((await find(store, over))?.delivery, toDeliveryRecord(over, 5))
      assert.equal(await store.deliveries.requeue('acme', [tried.id], minute(8)), 1, 'its lease has ended')
      assert.equal((await find(store, tried))?.delivery.leasedUntil, null)
      assert.deepEqual(await claimAt(store, webhook, 6), [1, 2, 4, 5])
    }
  }
]

const readingCases: StoreCase[] = [
  {
    title: 'deliveries of a webhook are listed newest first, page by page, with their total',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await deliveriesTo(store, webhook, 5)
      await deliveriesTo(store, buildWebhook(), 2)
      const page = async (number: number) => {
        const { deliveries, totalCount } = await store.deliveries.list(
          { accountId: 'acme', webhookId: webhook.id },
          { page: number, pageSize: 2 }
        )
        return [deliveries.map(({ sequence }) => sequence), totalCount]
      }
      assert.deepEqual(
        [await page(1), await page(2), await page(3), await page(4)],
        [
          [[5, 4], 5],
          [[3, 2], 5],
          [[1], 5],
          [[], 5]
        ]
      )
      assert.deepEqual(
        await store.deliveries.list({ accountId: 'zeta', webhookId: webhook.id }, { page: 1, pageSize: 9 }),
        { deliveries: [], totalCount: 0 }
      )
    }
  },
  {
    title: 'deliveries can be filtered by status, by event and by time of the event',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const events = (['blog.published', 'blog.updated', 'blog.published', 'blog.deleted'] as const).map((type, at) =>
        buildEvent({ type, timestamp: minute(at + 1) })
      )
      await store.events.add(events)
      const deliveries = events.map((event, at) =>
        buildDelivery(webhook, event, at === 2 ? { status: 'skipped', nextAttemptAt: null } : {})
      ) as [NewDelivery, ...NewDelivery[]]
      await store.deliveries.add(deliveries)
      await store.deliveries.recordAttempts([buildDeliveryChange(deliveries[0], 1, DELIVERED)])
      const found = async (filter: Partial<DeliveryFilter>) => {
        const { deliveries, totalCount } = await store.deliveries.list(
          { accountId: 'acme', webhookId: webhook.id, ...filter },
          { page: 1, pageSize: 9 }
        )
        assert.equal(totalCount, deliveries.length)
        return deliveries.map(({ sequence }) => sequence)
      }
      assert.deepEqual(await found({ status: 'pending' }), [4, 2])
      assert.deepEqual(await found({ status: 'skipped' }), [3])
      assert.deepEqual(await found({ status: 'failed' }), [])
      assert.deepEqual(await found({ event: 'blog.published' }), [3, 1])
      assert.deepEqual(await found({ since: minute(3) }), [4, 3])
      assert.deepEqual(await found({ status: 'delivered', event: 'blog.published', since: minute(1) }), [1])
    }
  },
  {
    title: 'deliveries of a time range are listed in order, in any status, without its end',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const deliveries = await deliveriesTo(store, webhook, 6)
      await store.deliveries.recordAttempts([buildDeliveryChange(deliveries[2] as NewDelivery, 1, DELIVERED)])
      const got = async (afterSequence: number, limit: number) =>
        (await store.deliveries.between(webhook.id, { since: minute(2), until: minute(6), afterSequence, limit })).map(
          ({ sequence }) => sequence
        )
      assert.deepEqual(await got(0, 3), [2, 3, 4])
      assert.deepEqual(await got(4, 3), [5])
      assert.deepEqual(await got(5, 3), [])
      const [one] = await store.deliveries.between(webhook.id, {
        since: minute(2),
        until: minute(3),
        afterSequence: 0,
        limit: 9
      })
      assert.deepEqual(one, toDeliveryRecord(deliveries[1] as NewDelivery, 2))
      assert.deepEqual(
        await store.deliveries.between('nothing', { since: minute(0), until: minute(9), afterSequence: 0, limit: 9 }),
        []
      )
    }
  },
  {
    title: 'enabled webhooks with unclaimed due deliveries are listed once',
    run: async ({ store }) => {
      const [busy, old, disabled, idle] = [
        buildWebhook(),
        buildWebhook({ accountId: 'zeta' }),
        buildWebhook(),
        buildWebhook()
      ]
      for (const each of [busy, disabled]) await deliveriesTo(store, each, 40)
      const [theirs] = await deliveriesTo(store, old, 1)
      await store.webhooks.save({ ...disabled, version: 2, disabledBy: 'person' }, 1)
      await store.webhooks.add(idle, 50)
      await store.deliveries.recordAttempts([
        buildDeliveryChange(theirs as NewDelivery, 1, { nextAttemptAt: minute(0) })
      ])
      assert.deepEqual(await due(store, 0), [old.id])
      assert.deepEqual(
        (await sweepList((page) => store.deliveries.dueWebhooks(minute(1), page))).toSorted((a, b) =>
          a.accountId < b.accountId ? -1 : 1
        ),
        [
          { accountId: 'acme', webhookId: busy.id },
          { accountId: 'zeta', webhookId: old.id }
        ]
      )
      await claimAt(store, busy, 40)
      assert.deepEqual(await due(store, 44), [old.id])
      assert.deepEqual((await due(store, 45)).toSorted(), [old.id, busy.id].toSorted())
      await store.webhooks.save({ ...disabled, version: 3 }, 2)
      assert.deepEqual((await due(store, 44)).toSorted(), [old.id, disabled.id].toSorted())
    }
  },
  {
    title: 'paused webhooks are not listed as due',
    run: async ({ store }) => {
      const [paused, late, free] = [buildWebhook(), buildWebhook(), buildWebhook()]
      for (const each of [paused, late, free]) await deliveriesTo(store, each, each === free ? 2 : 1)
      const until = (webhook: typeof paused, at: number | null) => ({
        ...webhook,
        health: { ...webhook.health, pausedUntil: at === null ? null : minute(at) }
      })
      await store.webhooks.save({ ...until(paused, 20), version: 2 }, 1)
      await store.webhooks.save({ ...until(late, 10), version: 2 }, 1)
      await claimAt(store, free, 1, { limit: 1 })
      assert.deepEqual(await due(store, 9), [free.id])
      assert.deepEqual((await due(store, 10)).toSorted(), [free.id, late.id].toSorted(), 'a pause is over at its end')
      await store.webhooks.save({ ...until(paused, null), version: 3 }, 2)
      assert.deepEqual((await due(store, 10)).toSorted(), [free.id, late.id, paused.id].toSorted())
      const added = until(buildWebhook(), 30)
      await deliveriesTo(store, added, 1)
      assert.equal((await due(store, 29)).includes(added.id), false)
      assert.equal((await due(store, 30)).includes(added.id), true)
    }
  },
  {
    title: 'nextDueAt returns when the next delivery of a webhook is due',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
      const next = async () => await store.deliveries.nextDueAt(webhook.id)
      assert.equal(await next(), minute(1))
      await store.deliveries.recordAttempts([buildDeliveryChange(first, 20)])
      assert.equal(await next(), minute(2))
      await claimAt(store, webhook, 3)
      assert.equal(await next(), minute(8), 'when the lease ends')
      await store.deliveries.recordAttempts([buildDeliveryChange(second, 1, DELIVERED)])
      assert.equal(await next(), minute(30))
      await store.deliveries.recordAttempts([buildDeliveryChange(first, 21, { status: 'failed', nextAttemptAt: null })])
      assert.equal(await next(), null)
      assert.equal(await store.deliveries.nextDueAt('nothing'), null)
    }
  },
  {
    title: 'attempts and sequences survive a restart, and so do leases of shared stores',
    run: async ({ store, reopen }) => {
      const webhook = buildWebhook()
      const [first, second] = (await deliveriesTo(store, webhook, 3)) as [NewDelivery, NewDelivery]
      await claimAt(store, webhook, 2)
      await store.deliveries.recordAttempts([buildDeliveryChange(first, 1, DELIVERED)])
      const before = [await find(store, first), await find(store, second)]
      const again = await reopen()
      const after = [await find(again, first), await find(again, second)]
      // A store of a single process knows at its start that all holders of leases are gone.
      const freed = after[1]?.delivery.leasedUntil === null
      if (freed) before[1]!.delivery.leasedUntil = null
      assert.deepEqual(after, before)
      assert.deepEqual(await claimAt(again, webhook, 4), freed ? [2, 3] : [3])
      const event = buildEvent()
      await again.events.add([event])
      await again.deliveries.add([buildDelivery(webhook, event)])
      assert.deepEqual(await sequencesOf(again, webhook), [4, 3, 2, 1])
    }
  }
]

export const deliveryCases: StoreCase[] = [...addingCases, ...takingCases, ...recordingCases, ...readingCases]
