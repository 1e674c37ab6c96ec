import t from 'tap'
import { CONTENT_ACTIONS } from '../../../../schemas/audit.ts'
import type { AuditFilter, Store } from '../../../../ports/store/port.ts'
import { buildAuditEntry } from '../../../contracts/store/audit.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { plansAfter, sorts } from '../../../fixtures/sqlite/query-plans.ts'

const PAGE = { beforeId: buildAuditEntry(99).id, limit: 2 }

const ACTS: Record<string, (store: Store) => Promise<unknown>> = {
  ...Object.fromEntries(
    (
      [
        {},
        { actor: 'key-1' },
        { action: 'blog.updated', target: 'blog-1' },
        { since: minute(0), until: minute(9) }
      ] satisfies AuditFilter[]
    ).map((filter) => [
      `a list by ${Object.keys(filter).join(' and ') || 'account'}`,
      async (store: Store) => await store.audit.list('acme', filter, PAGE)
    ])
  ),
  'the retention': async (store) => await store.audit.deleteBefore(minute(3), 10),
  'trimming an account': async (store) => await store.audit.trim('acme', CONTENT_ACTIONS, 2)
}

for (const [title, act] of Object.entries(ACTS)) {
  t.test(`${title} reads by an index, in order`, async (t) => {
    const plans = await plansAfter(
      t,
      async (store) => {
        await store.audit.add(Array.from({ length: 6 }, (_, n) => buildAuditEntry(n)))
        return store
      },
      act
    )
    t.ok(plans.length > 0)
    t.strictSame(
      plans.filter((step) => step.startsWith('SCAN ') && !/^SCAN (json_each|found)/.test(step)),
      [],
      'no whole table'
    )
    t.ok(sorts(plans).length <= 1, 'sorts at most the page')
    for (const step of plans.filter((each) => each.includes('audit_entries_of_account'))) {
      t.match(step, /COVERING INDEX/)
    }
  })
}
