import t from 'tap'
import { openTestStore, temporaryFolder } from '../../helper.ts'
import { applyAttempt, type AttemptReport } from '../../../services/webhooks/health.ts'
import { createHealthTracker } from '../../../services/webhooks/health-tracker.ts'
import { buildWebhook } from '../../contracts/store/fixtures/webhooks.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'

const GOOD = { delivered: true, status: 200, error: null, detail: null, retryAfterMs: null } as const
const BAD = { delivered: false, status: 500, error: 'http_5xx', detail: 'x', retryAfterMs: null } as const

t.test(
  'many successes that are counted together come to the same as one by one, whatever fails between them',
  async (t) => {
    const store = await openTestStore(temporaryFolder(t))
    t.teardown(() => store.close())
    const random = createSeededRandom(7)
    for (let round = 0; round < 30; round++) {
      const webhook = buildWebhook({
        accountId: `account-${round}`,
        secrets: ['s1', 's2'].map((id) => ({
          id,
          ciphertext: 'x',
          createdAt: '2026-01-01T00:00:00.000Z',
          expiresAt: null
        }))
      })
      await store.webhooks.add(webhook, 50)
      const known = createHealthTracker(
        store,
        { accountId: webhook.accountId, webhookId: webhook.id },
        { timeScale: 1, onDisabled: async () => {} }
      )
      await known.sync()
      let atMs = Date.parse('2026-03-01T00:00:00.000Z')
      let singly = webhook
      let isGood = true
      for (let tries = 0; tries < 60; tries++) {
        atMs += random() < 0.1 ? 70_000 : 100
        if (random() < 0.1) isGood = !isGood
        const report: AttemptReport = {
          outcome: isGood ? GOOD : BAD,
          atMs,
          event: { eventId: 'e', at: '2026-03-01T00:00:00.000Z' },
          secretId: random() < 0.8 ? 's1' : 's2',
          isProbe: random() < 0.05
        }
        known.report(report)
        singly = applyAttempt(singly, report, 1)
        t.same(
          [known.record()?.health.pausedUntil, known.record()?.lastAcceptedSecretId, known.record()?.disabledBy],
          [singly.health.pausedUntil, singly.lastAcceptedSecretId, singly.disabledBy]
        )
        if (random() < 0.1) await known.sync({ always: true })
      }
      await known.sync({ always: true })
      const { health, lastAcceptedSecretId } = (await store.webhooks.find(webhook.accountId, webhook.id))!
      t.strictSame(
        { health, lastAcceptedSecretId },
        { health: singly.health, lastAcceptedSecretId: singly.lastAcceptedSecretId }
      )
    }
  }
)
