import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import {
  buildDelivery,
  buildEvent,
  buildRecovery,
  buildWebhook,
  deliveriesTo,
  sequencesOf,
  claimAt
} from './fixtures/webhooks.ts'

export const webhookCases: StoreCase[] = [
  {
    title: 'a webhook is stored unchanged and only found by its account',
    run: async ({ store }) => {
      const webhook = buildWebhook({
        events: null,
        projectIds: ['a'],
        disabledBy: 'person',
        disabledReason: 'Zoë',
        disabledAt: minute(3)
      })
      assert.equal(await store.webhooks.add(webhook, 50), true)
      assert.deepEqual(await store.webhooks.find('acme', webhook.id), webhook)
      assert.equal(await store.webhooks.find('zeta', webhook.id), null)
      assert.equal(await store.webhooks.find('acme', 'nothing'), null)
    }
  },
  {
    title: 'webhooks never exceed the limit of their account, even if they are added concurrently',
    run: async ({ store }) => {
      const added = await Promise.all(Array.from({ length: 8 }, () => store.webhooks.add(buildWebhook(), 3)))
      assert.equal(added.filter(Boolean).length, 3)
      assert.equal((await store.webhooks.list('acme')).length, 3)
      assert.equal(await store.webhooks.add(buildWebhook({ accountId: 'zeta' }), 3), true)
      assert.equal(await store.webhooks.add(buildWebhook(), 4), true)
    }
  },
  {
    title: 'webhooks of an account are listed oldest first, then by id',
    run: async ({ store }) => {
      const [a, b, c, d] = [
        buildWebhook({ createdAt: minute(2) }),
        buildWebhook({ createdAt: minute(2) }),
        buildWebhook({ createdAt: minute(1) }),
        buildWebhook({ createdAt: minute(3), disabledBy: 'gone' })
      ]
      for (const webhook of [d, b, a, c, buildWebhook({ accountId: 'zeta' })]) await store.webhooks.add(webhook, 50)
      assert.deepEqual(await store.webhooks.list('acme'), [c, a, b, d])
      assert.deepEqual(await store.webhooks.list('nobody'), [])
    }
  },
  {
    title: 'a webhook is only replaced if its version has not changed',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const changed = { ...webhook, version: 2, url: 'https://new.example', disabledBy: 'failures' as const }
      assert.equal(await store.webhooks.save(changed, 1), true)
      assert.deepEqual(await store.webhooks.find('acme', webhook.id), changed)
      assert.deepEqual(await store.webhooks.list('acme'), [changed])
      assert.equal(await store.webhooks.save({ ...webhook, version: 2, url: 'https://late.example' }, 1), false)
      assert.equal(await store.webhooks.save({ ...changed, accountId: 'zeta', version: 3 }, 2), false)
      assert.deepEqual(await store.webhooks.find('acme', webhook.id), changed)
      assert.equal(await store.webhooks.save(buildWebhook(), 1), false)
    }
  },
  {
    title: 'of concurrent changes of the same version, exactly one succeeds',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const saved = await Promise.all(
        Array.from({ length: 6 }, (_, at) => store.webhooks.save({ ...webhook, version: 2, description: `${at}` }, 1))
      )
      assert.equal(saved.filter(Boolean).length, 1)
      assert.equal((await store.webhooks.find('acme', webhook.id))?.description, `${saved.indexOf(true)}`)
    }
  },
  {
    title: 'changing a webhook object that was passed or returned does not change the store',
    run: async ({ store }) => {
      const webhook = buildWebhook()
      await store.webhooks.add(webhook, 50)
      const before = structuredClone(webhook)
      webhook.health.minutes.length = 0
      ;(await store.webhooks.find('acme', webhook.id))?.secrets.pop()
      assert.deepEqual(await store.webhooks.find('acme', webhook.id), before)
    }
  },
  {
    title: 'a webhook is deleted with its own deliveries and recoveries only',
    run: async ({ store }) => {
      const [webhook, other] = [buildWebhook(), buildWebhook()]
      const [first] = await deliveriesTo(store, webhook, 700)
      await deliveriesTo(store, other, 2)
      const [recovery, theirs] = [buildRecovery(webhook), buildRecovery(other)]
      for (const each of [recovery, theirs]) await store.recoveries.add(each)
      assert.equal(await store.webhooks.delete('zeta', webhook.id), false)
      assert.equal(await store.webhooks.delete('acme', webhook.id), true)
      assert.equal(await store.webhooks.delete('acme', webhook.id), false)

      assert.deepEqual(await store.webhooks.list('acme'), [other])
      assert.equal(await store.webhooks.save({ ...webhook, version: 2 }, 1), false)
      assert.deepEqual(await sequencesOf(store, webhook), [])
      assert.equal(await store.deliveries.find('acme', first?.id ?? ''), null)
      assert.deepEqual(await claimAt(store, webhook, 9999), [])
      assert.equal(await store.deliveries.nextDueAt(webhook.id), null)
      assert.deepEqual(await sweepList((page) => store.deliveries.dueWebhooks(minute(9999), page)), [
        { accountId: 'acme', webhookId: other.id }
      ])
      assert.equal(await store.recoveries.find('acme', recovery.id), null)
      assert.deepEqual(await sweepList(store.recoveries.unfinished), [{ accountId: 'acme', id: theirs.id }])
      assert.deepEqual(await sequencesOf(store, other), [2, 1])

      const event = buildEvent()
      await store.events.add([event])
      await store.deliveries.add([buildDelivery(webhook, event)])
      await store.recoveries.add(buildRecovery(webhook))
      assert.deepEqual(await sequencesOf(store, webhook), [])
      assert.equal((await sweepList(store.recoveries.unfinished)).length, 1)
      assert.equal(await store.webhooks.add(webhook, 2), true, 'it no longer counts')
      assert.deepEqual(await sequencesOf(store, webhook), [])
    }
  }
]
