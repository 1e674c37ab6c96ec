import assert from 'node:assert/strict'
import type { Store, VisualCheckRecord } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { buildVisualCheck, buildOutcome, buildEndedCheck } from './fixtures/visual-checks.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import { buildEvent } from './fixtures/webhooks.ts'

const MANY = 1000
const PAGE = { page: 1, pageSize: 100 }
const idsOf = (checks: { id: string }[]) => checks.map(({ id }) => id)
const withoutResult = ({ result, ...head }: VisualCheckRecord) => head
const runOf = ({ accountId, id }: VisualCheckRecord, attempt: number) => ({ accountId, id, attempt })
const addAll = async (store: Store, ...checks: VisualCheckRecord[]) => {
  for (const check of checks) assert.equal(await store.visualChecks.add(check, MANY), true)
}
const begin = async (store: Store, { accountId, id }: VisualCheckRecord, at = minute(2), staleBefore = minute(1)) =>
  await store.visualChecks.start({ accountId, id, at, staleBefore })

export const visualCheckCases: StoreCase[] = [
  {
    title: 'a check is stored unchanged with its result and found by its id',
    run: async ({ store }) => {
      const [queued, done] = [
        buildVisualCheck(),
        buildEndedCheck(minute(9), {
          viewports: ['desktop'],
          environment: 'staging',
          detail: 'full',
          reason: 'Zoë \u0000'
        })
      ]
      await addAll(store, queued, done)
      for (const each of [queued, done]) assert.deepEqual(await store.visualChecks.find('acme', each.id), each)
      assert.equal(await store.visualChecks.find('zeta', queued.id), null)
      assert.equal(await store.visualChecks.find('acme', 'nothing'), null)
    }
  },
  {
    title: 'unfinished checks never exceed the limit of their account, even if they are added concurrently',
    run: async ({ store }) => {
      await addAll(store, buildEndedCheck(minute(3)), buildVisualCheck({ accountId: 'zeta' }))
      const wanted = Array.from({ length: 8 }, () => buildVisualCheck())
      const added = await Promise.all(wanted.map((check) => store.visualChecks.add(check, 3)))
      assert.equal(added.filter(Boolean).length, 3)
      for (const [at, check] of wanted.entries()) {
        assert.equal((await store.visualChecks.find('acme', check.id)) !== null, added[at])
      }
      const one = wanted[added.indexOf(true)]!
      await begin(store, one)
      assert.equal(await store.visualChecks.add(buildVisualCheck(), 3), false, 'one that runs counts')
      assert.equal(
        await store.visualChecks.add(buildEndedCheck(minute(5)), 3),
        true,
        'one that has ended is added in any case'
      )
      await store.visualChecks.finish(runOf(one, 1), buildOutcome(), [])
      assert.equal(await store.visualChecks.add(buildVisualCheck(), 3), true)
      assert.equal(await store.visualChecks.add(buildVisualCheck(), 3), false)
      await store.visualChecks.delete('acme', wanted[added.lastIndexOf(true)]!.id)
      assert.equal(await store.visualChecks.add(buildVisualCheck(), 3), true)
    }
  },
  {
    title: 'checks of a blog are listed newest first, then by id descending, without results',
    run: async ({ store }) => {
      const [a, b, c] = [
        buildVisualCheck({ createdAt: minute(5) }),
        buildEndedCheck(minute(9), { createdAt: minute(5) }),
        buildVisualCheck({ createdAt: minute(7) })
      ]
      await addAll(store, b, c, a, buildVisualCheck({ blogId: 'b-2' }), buildVisualCheck({ accountId: 'zeta' }))
      const list = async (page = PAGE) => await store.visualChecks.list({ accountId: 'acme', blogId: 'b-1' }, page)
      assert.deepEqual(await list(), { checks: [c, b, a].map(withoutResult), totalCount: 3 })
      assert.deepEqual(await list({ page: 2, pageSize: 2 }), { checks: [withoutResult(a)], totalCount: 3 })
      assert.deepEqual(await list({ page: 9, pageSize: 2 }), { checks: [], totalCount: 3 })
    }
  },
  {
    title: 'the check before one is the last one with a score of the same blog at the same address',
    run: async ({ store }) => {
      const [first, second] = [
        buildEndedCheck(minute(3)),
        buildEndedCheck(minute(2), { status: 'blocked', overallScore: 0 })
      ]
      const others = [
        buildEndedCheck(minute(4), { blogId: 'b-2' }),
        buildEndedCheck(minute(4), { url: 'https://shop.example/' }),
        buildEndedCheck(minute(4), { accountId: 'zeta' }),
        buildEndedCheck(minute(4), { status: 'failed', overallScore: null, result: null }),
        buildVisualCheck()
      ]
      const last = buildEndedCheck(minute(9))
      await addAll(store, last, ...others, second, first)
      assert.deepEqual(await store.visualChecks.findPrevious(last), second)
      assert.deepEqual(await store.visualChecks.findPrevious(second), first)
      assert.equal(await store.visualChecks.findPrevious(first), null)
    }
  },
  {
    title: 'the checks of one page are listed newest first, with the number of all of them',
    run: async ({ store }) => {
      const url = 'https://shop.example/other'
      const [a, b] = [buildVisualCheck({ url, createdAt: minute(5) }), buildEndedCheck(minute(9), { url })]
      await addAll(store, a, buildVisualCheck(), b, buildVisualCheck({ url, blogId: 'b-2' }))
      const list = async (page: number) =>
        await store.visualChecks.list({ accountId: 'acme', blogId: 'b-1', url }, { page, pageSize: 1 })
      assert.deepEqual(await list(1), { checks: [withoutResult(a)], totalCount: 2 })
      assert.deepEqual(await list(2), { checks: [withoutResult(b)], totalCount: 2 })
    }
  },
  {
    title: 'the history of a check has the scores of its page up to it, the latest first',
    run: async ({ store }) => {
      const checks = [70, 0, 98].map((overallScore) => buildEndedCheck(minute(3), { overallScore }))
      const others = [
        buildEndedCheck(minute(4), { blogId: 'b-2' }),
        buildEndedCheck(minute(4), { url: 'https://shop.example/' }),
        buildEndedCheck(minute(4), { accountId: 'zeta' }),
        buildEndedCheck(minute(4), { status: 'failed', overallScore: null, result: null }),
        buildVisualCheck()
      ]
      const last = buildEndedCheck(minute(1))
      const later = buildEndedCheck(minute(0))
      await addAll(store, last, ...others, ...checks, later)
      const expected = [last, ...checks.toReversed()].map(withoutResult)
      assert.deepEqual(await store.visualChecks.history(last, 10), expected)
      assert.deepEqual(await store.visualChecks.history(last, 2), expected.slice(0, 2))
      const run = buildVisualCheck()
      await addAll(store, run)
      await begin(store, run)
      await store.visualChecks.finish(runOf(run, 1), buildOutcome({ overallScore: 0 }), [])
      assert.equal((await store.visualChecks.history(run, 1))[0]?.id, run.id, 'a check that has finished counts')
    }
  },
  {
    title: 'of concurrent starts of a queued check exactly one succeeds',
    run: async ({ store }) => {
      const [check, over] = [buildVisualCheck(), buildEndedCheck(minute(0), { startedAt: minute(0) })]
      await addAll(store, check, over)
      const begun = await Promise.all(Array.from({ length: 6 }, () => begin(store, check)))
      const after = { ...check, status: 'running', startedAt: minute(2), attempts: 1 }
      assert.deepEqual(
        begun.filter((each) => each !== null),
        [after]
      )
      assert.deepEqual(await store.visualChecks.find('acme', check.id), after)
      for (const each of [check, over, { ...check, accountId: 'zeta' }, { ...check, id: 'nothing' }]) {
        assert.equal(await begin(store, each, minute(3), minute(2)), null)
      }
      assert.deepEqual(await store.visualChecks.find('acme', over.id), over)
    }
  },
  {
    title: 'an abandoned run can be restarted, and the result of the first run is then rejected',
    run: async ({ store }) => {
      const check = buildVisualCheck()
      await addAll(store, check)
      await begin(store, check)
      const again = await begin(store, check, minute(6), minute(3))
      assert.deepEqual(again, { ...check, status: 'running', startedAt: minute(6), attempts: 2 })
      assert.equal(await store.visualChecks.finish(runOf(check, 1), buildOutcome(), [buildEvent()]), null)
      assert.equal(await store.visualChecks.release(runOf(check, 1)), false)
      assert.deepEqual(await store.visualChecks.find('acme', check.id), again)
      assert.deepEqual(await store.events.list('acme', { after: 0, limit: 10 }), [])
      assert.equal((await store.visualChecks.finish(runOf(check, 2), buildOutcome(), []))?.status, 'completed')
    }
  },
  {
    title: 'a released check is queued again and has used one attempt',
    run: async ({ store }) => {
      const check = buildVisualCheck()
      await addAll(store, check)
      assert.equal(await store.visualChecks.release(runOf(check, 0)), false)
      await begin(store, check)
      assert.equal(await store.visualChecks.release({ ...runOf(check, 1), accountId: 'zeta' }), false)
      assert.equal(await store.visualChecks.release(runOf(check, 1)), true)
      assert.deepEqual(await store.visualChecks.find('acme', check.id), { ...check, attempts: 1 })
      assert.equal((await begin(store, check))?.attempts, 2)
    }
  },
  {
    title: 'a check finishes once, with its result and events',
    run: async ({ store }) => {
      const check = buildVisualCheck()
      const event = buildEvent({ type: 'visual_check.completed' })
      await addAll(store, check)
      assert.equal(
        await store.visualChecks.finish(runOf(check, 0), buildOutcome(), [event]),
        null,
        'one that waits has not been worked on'
      )
      await begin(store, check)
      const after = { ...check, ...buildOutcome(), startedAt: minute(2), attempts: 1 }
      assert.deepEqual(await store.visualChecks.finish(runOf(check, 1), buildOutcome(), [event]), after)
      assert.deepEqual(await store.visualChecks.find('acme', check.id), after)
      assert.equal(
        await store.visualChecks.finish(runOf(check, 1), buildOutcome({ status: 'failed' }), [buildEvent()]),
        null
      )
      assert.deepEqual(await store.visualChecks.find('acme', check.id), after)
      assert.deepEqual(
        (await store.events.list('acme', { after: 0, limit: 10 })).map(({ id, sequence }) => ({ id, sequence })),
        [{ id: event.id, sequence: 1 }]
      )
    }
  },
  {
    title: 'queued and abandoned checks of all accounts are listed oldest first',
    run: async ({ store }) => {
      const [a, b, c, d] = [
        buildVisualCheck({ createdAt: minute(2) }),
        buildVisualCheck({ createdAt: minute(2) }),
        buildVisualCheck({ createdAt: minute(1), accountId: 'zeta' }),
        buildVisualCheck({ createdAt: minute(3) })
      ]
      await addAll(store, d, b, buildEndedCheck(minute(4)), c, a)
      await begin(store, b, minute(5))
      await begin(store, d, minute(7))
      const unfinished = (at: number) => sweepList((page) => store.visualChecks.unfinished(minute(at), page))
      assert.deepEqual(
        await unfinished(7),
        [c, a, b].map(({ accountId, id }) => ({ accountId, id }))
      )
      assert.deepEqual(idsOf(await unfinished(8)), [c.id, a.id, b.id, d.id])
    }
  },
  {
    title: 'checks that finished before a time are listed oldest first, for all accounts',
    run: async ({ store }) => {
      const [a, b, c] = [
        buildEndedCheck(minute(6)),
        buildEndedCheck(minute(4), { status: 'failed', result: null, accountId: 'zeta' }),
        buildEndedCheck(minute(8))
      ]
      await addAll(store, c, a, buildVisualCheck({ createdAt: minute(0) }), b)
      assert.deepEqual(
        await store.visualChecks.finishedBefore(minute(8), 10),
        [b, a].map(({ accountId, id }) => ({ accountId, id }))
      )
      assert.deepEqual(idsOf(await store.visualChecks.finishedBefore(minute(9), 2)), [b.id, a.id])
    }
  },
  {
    title: 'deleting a check deletes no other check',
    run: async ({ store }) => {
      const [gone, remaining] = [buildEndedCheck(minute(4)), buildEndedCheck(minute(5))]
      await addAll(store, gone, remaining)
      await store.visualChecks.delete('zeta', gone.id)
      assert.deepEqual(await store.visualChecks.find('acme', gone.id), gone)
      await store.visualChecks.delete('acme', gone.id)
      await store.visualChecks.delete('acme', gone.id)
      assert.equal(await store.visualChecks.find('acme', gone.id), null)
      assert.deepEqual(await store.visualChecks.finishedBefore(minute(9), 10), [
        { accountId: 'acme', id: remaining.id }
      ])
    }
  },
  {
    title: 'checks survive reopening the store',
    run: async ({ store, reopen }) => {
      const check = buildVisualCheck()
      await addAll(store, check)
      await begin(store, check)
      const after = await store.visualChecks.finish(runOf(check, 1), buildOutcome(), [])
      assert.notEqual(after, null)
      assert.deepEqual(await (await reopen()).visualChecks.find('acme', check.id), after)
    }
  }
]
