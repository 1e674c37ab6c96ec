import t, { type Test } from 'tap'
import type { NewDelivery, Store, WebhookRecord } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildDeliveryChange,
  buildEvent,
  buildRecovery,
  buildWebhook,
  DELIVERED,
  deliveriesTo
} from '../../../contracts/store/fixtures/webhooks.ts'
import { plansAfter, sorts } from '../../../fixtures/sqlite/query-plans.ts'

interface Given {
  store: Store
  webhook: WebhookRecord
  deliveries: NewDelivery[]
}

/**
 * The query plans of the statements that the store uses for this act, a line for each step, in a
 * store with some deliveries.
 */
const plansOf = async (t: Test, act: (given: Given) => Promise<unknown>): Promise<string[]> =>
  await plansAfter(
    t,
    async (store) => {
      const webhook = buildWebhook()
      return { store, webhook, deliveries: await deliveriesTo(store, webhook, 3) }
    },
    act
  )

/**
 * Steps that read a whole table, or a whole index of one. Lists of a query's own values are no
 * tables.
 */
const wholeReads = (plan: string[]) =>
  plan.filter(
    (step) => step.startsWith('SCAN ') && !/^SCAN (json_each|pending\b|chosen|\(subquery|\d|CONSTANT)/.test(step)
  )
const terms = (now: number) => ({ now: minute(now), leaseUntil: minute(now + 5), limit: 10, maxInFlight: 10 })

t.test('no query for a delivery reads finished deliveries', async (t) => {
  const acts: Record<string, (given: Given) => Promise<unknown>> = {
    take: async ({ store, webhook }) => await store.deliveries.claim(webhook.id, terms(9)),
    record: async ({ store, deliveries }) =>
      await store.deliveries.recordAttempts([
        ...deliveries.map((delivery) => buildDeliveryChange(delivery, 1, DELIVERED)),
        buildDeliveryChange(deliveries[0] as NewDelivery, 99)
      ]),
    release: async ({ store, webhook, deliveries }) =>
      await store.deliveries.release(
        webhook.id,
        deliveries.map(({ id }) => id)
      ),
    reopen: async ({ store, deliveries }) =>
      await store.deliveries.requeue(
        'acme',
        deliveries.map(({ id }) => id),
        minute(9)
      ),
    'next due': async ({ store, webhook }) => await store.deliveries.nextDueAt(webhook.id),
    add: async ({ store, deliveries }) => await store.deliveries.add(deliveries),
    find: async ({ store, deliveries }) => await store.deliveries.find('acme', deliveries[0]?.id ?? ''),
    list: async ({ store, webhook }) =>
      await store.deliveries.list(
        { accountId: 'acme', webhookId: webhook.id, status: 'pending', event: 'blog.updated', since: minute(1) },
        { page: 2, pageSize: 2 }
      ),
    events: async ({ store }) => [
      await store.events.add([buildEvent()]),
      await store.events.list('acme', { after: 1, limit: 9, types: ['blog.updated'] }),
      await store.events.find('acme', 'x')
    ],
    'not fanned out': async ({ store }) => [
      await store.events.pendingFanOut('acme', 9),
      await store.events.pendingFanOutAccounts({ after: null, limit: 9 }),
      await store.events.markFannedOut('acme', ['x'])
    ],
    sweep: async ({ store }) => await store.events.deleteBefore(minute(9), 9),
    trim: async ({ store }) => await store.events.trim('acme', { maxBytes: 0, upTo: 9, limit: 9 }),
    webhooks: async ({ store, webhook }) => [
      await store.webhooks.list('acme'),
      await store.webhooks.save({ ...webhook, version: 2 }, 1),
      await store.webhooks.delete('acme', webhook.id)
    ],
    recoveries: async ({ store, webhook, deliveries }) => {
      const recovery = buildRecovery(webhook)
      await store.recoveries.add(recovery)
      await store.recoveries.advance(
        { accountId: 'acme', id: recovery.id, afterSequence: 0 },
        { change: {}, requeue: [deliveries[0]?.id ?? ''], at: minute(9) }
      )
    }
  }
  for (const [name, act] of Object.entries(acts)) {
    const plan = await plansOf(t, act)
    t.strictSame(wholeReads(plan), [], name)
    t.ok(plan.length > 0, name)
  }
})

t.test('due deliveries are read from indexes that only contain pending deliveries', async (t) => {
  const plan = await plansOf(t, async ({ store, webhook }) => [
    await store.deliveries.claim(webhook.id, terms(9)),
    await store.deliveries.nextDueAt(webhook.id)
  ])
  for (const index of [
    'deliveries_due (webhook_n=? AND next_attempt_at<?)',
    'deliveries_due (webhook_n=?)',
    'delivery_leases_of_webhook (webhook_n=? AND until>?)'
  ]) {
    t.ok(
      plan.some((step) => /^SEARCH [dl] USING /.test(step) && step.endsWith(index)),
      index
    )
  }
  t.strictSame(sorts(plan).length, 1, 'only the thousand that are due at most are sorted')

  const due = await plansOf(
    t,
    async ({ store }) => await store.deliveries.dueWebhooks(minute(9), { after: null, limit: 10 })
  )
  t.strictSame(
    due.filter(
      (step) =>
        /SCAN|SEARCH/.test(step) &&
        !/deliveries_due|(SCAN|SEARCH) pending\b|SEARCH [lw] USING INTEGER PRIMARY KEY|CONSTANT/.test(step)
    ),
    []
  )
  const pending = await plansOf(t, async ({ store }) => [
    await store.events.pendingFanOut('acme', 9),
    await store.events.pendingFanOutAccounts({ after: null, limit: 9 })
  ])
  t.strictSame(
    pending.filter(
      (step) =>
        /SCAN|SEARCH/.test(step) &&
        !/events_pending_fan_out|(SCAN|SEARCH) pending\b|(e|event_bodies) USING INTEGER PRIMARY KEY|CONSTANT/.test(step)
    ),
    []
  )
  t.strictSame(sorts(pending), [])
})

t.test('thousands of due deliveries are read in order, without sorting', async (t) => {
  const plan = await plansOf(t, async ({ store }) => {
    const many = buildWebhook()
    await deliveriesTo(store, many, 1100)
    await store.deliveries.claim(many.id, terms(5000))
  })
  t.ok(plan.some((step) => step.startsWith('SEARCH d USING INDEX deliveries_by_status (webhook_n=? AND status=?)')))
  t.strictSame(sorts(plan), [])
})

t.test('deliveries are listed in the order of a covering index', async (t) => {
  const filters = [
    {},
    { status: 'failed' },
    { event: 'blog.updated' },
    { since: minute(2) },
    { status: 'failed', event: 'blog.updated', since: minute(2) }
  ] as const
  for (const filter of filters) {
    const plan = await plansOf(
      t,
      async ({ store, webhook }) =>
        await store.deliveries.list({ accountId: 'acme', webhookId: webhook.id, ...filter }, { page: 3, pageSize: 20 })
    )
    t.strictSame(sorts(plan), [], JSON.stringify(filter))
    t.strictSame(
      plan.filter((step) => /^SEARCH d /.test(step) && !/COVERING INDEX deliveries_/.test(step)),
      [],
      JSON.stringify(filter)
    )
  }
  const between = await plansOf(
    t,
    async ({ store, webhook }) =>
      await store.deliveries.between(webhook.id, { since: minute(1), until: minute(3), afterSequence: 5, limit: 9 })
  )
  t.strictSame(sorts(between), [])
  t.ok(
    between.some((step) =>
      step.startsWith('SEARCH d USING COVERING INDEX deliveries_in_order (webhook_n=? AND sequence>?')
    )
  )
})
