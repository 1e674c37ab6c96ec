import t, { type Test } from 'tap'
import type { Store, VisualCheckRecord } from '../../../../ports/store/port.ts'
import { buildVisualCheck, buildOutcome, buildEndedCheck } from '../../../contracts/store/fixtures/visual-checks.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { buildEvent } from '../../../contracts/store/fixtures/webhooks.ts'
import { plansAfter, sorts } from '../../../fixtures/sqlite/query-plans.ts'

interface Given {
  store: Store
  check: VisualCheckRecord
}

/**
 * The query plans of what the store is asked for this act, where one check waits beside one that
 * has ended.
 */
const plansOf = async (t: Test, act: (given: Given) => Promise<unknown>): Promise<string[]> =>
  await plansAfter(
    t,
    async (store) => {
      const check = buildVisualCheck()
      await store.visualChecks.add(buildEndedCheck(minute(1)), 4)
      await store.visualChecks.add(check, 4)
      return { store, check }
    },
    act
  )

t.test('every query for visual checks only reads matching rows', async (t) => {
  const run = (check: VisualCheckRecord, attempt: number) => ({ accountId: 'acme', id: check.id, attempt })
  const acts: Record<string, (given: Given) => Promise<unknown>> = {
    add: async ({ store }) => await store.visualChecks.add(buildVisualCheck(), 4),
    find: async ({ store, check }) => await store.visualChecks.find('acme', check.id),
    list: async ({ store, check }) =>
      await store.visualChecks.list({ accountId: 'acme', blogId: check.blogId }, { page: 2, pageSize: 3 }),
    'list of a page': async ({ store, check: { blogId, url } }) =>
      await store.visualChecks.list({ accountId: 'acme', blogId, url }, { page: 2, pageSize: 3 }),
    history: async ({ store, check }) => await store.visualChecks.history(check, 10),
    'due schedules': async ({ store }) => await store.projects.dueForCheck(minute(5), 10),
    'the one before': async ({ store, check }) => await store.visualChecks.findPrevious(check),
    unfinished: async ({ store }) => await store.visualChecks.unfinished(minute(5), { after: null, limit: 10 }),
    'long ended': async ({ store }) => await store.visualChecks.finishedBefore(minute(5), 10),
    run: async ({ store, check }) => [
      await store.visualChecks.start({ ...run(check, 1), at: minute(1), staleBefore: minute(0) }),
      await store.visualChecks.finish(run(check, 1), buildOutcome(), [buildEvent()])
    ],
    remove: async ({ store, check }) => {
      await store.visualChecks.delete('acme', check.id)
    }
  }
  for (const [name, act] of Object.entries(acts)) {
    const plan = (await plansOf(t, act)).filter((step) => !step.startsWith('SCAN CONSTANT'))
    t.ok(plan.length > 0, name)
    t.strictSame(
      plan.filter((step) => step.startsWith('SCAN ') && !step.includes(' USING ')),
      [],
      name
    )
    t.strictSame(sorts(plan), [], name)
  }
})

t.test('unfinished checks are read from an index that only contains them', async (t) => {
  const plan = await plansOf(
    t,
    async ({ store }) => await store.visualChecks.unfinished(minute(5), { after: null, limit: 10 })
  )
  t.match(plan.join('\n'), /visual_checks_unfinished/)
  t.match(
    (await plansOf(t, async ({ store }) => await store.visualChecks.add(buildVisualCheck(), 4))).join('\n'),
    /visual_checks_unfinished_of_account/
  )
})

t.test('a list of checks skips to its page in an index alone', async (t) => {
  for (const filter of [{}, { url: 'https://example.com/' }]) {
    const plan = await plansOf(
      t,
      async ({ store, check: { blogId } }) =>
        await store.visualChecks.list({ accountId: 'acme', blogId, ...filter }, { page: 2, pageSize: 1 })
    )
    const reads = plan.filter((step) => /^SEARCH visual_checks /.test(step))
    t.ok(reads.length >= 2)
    for (const step of reads) t.match(step, /USING COVERING INDEX visual_checks_of_|USING PRIMARY KEY \(id=\?\)$/)
  }
})
