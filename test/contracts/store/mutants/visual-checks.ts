import type { Store, VisualCheckRecord, VisualCheckStore } from '../../../../ports/store/port.ts'
import { mutant as createMutant, pause, type Mutant } from './mutant.ts'

const mutant = (title: string, broken: (checks: VisualCheckStore, store: Store) => Partial<VisualCheckStore>): Mutant =>
  createMutant(title, 'visualChecks', broken)
const ALL = { page: 1, pageSize: 1000 }
/** Puts a check in the place of what is there. */
const replace = async (checks: VisualCheckStore, check: VisualCheckRecord) => {
  await checks.delete(check.accountId, check.id)
  await checks.add(check, 1000)
  return check
}

export const VISUAL_CHECK_MUTANTS: readonly Mutant[] = [
  mutant('what came of a check is forgotten', (checks) => ({
    add: async (check, most) => await checks.add({ ...check, result: null }, most)
  })),
  mutant('names in what was measured lose their dots', (checks) => ({
    add: async (check, most) =>
      await checks.add(JSON.parse(JSON.stringify(check).replaceAll('a.b', 'ab')) as VisualCheckRecord, most)
  })),
  mutant('find looks at all accounts', (checks) => ({
    find: async (accountId, id) => (await checks.find(accountId, id)) ?? (await checks.find('acme', id))
  })),
  mutant('add ignores how many go on', (checks) => ({ add: async (check) => await checks.add(check, 1000) })),
  mutant('add counts first and writes later', (checks) => ({
    add: async (check, most) => {
      const { checks: all } = await checks.list({ accountId: check.accountId, blogId: check.blogId }, ALL)
      await pause()
      return all.filter(({ finishedAt }) => finishedAt === null).length < most && (await checks.add(check, 1000))
    }
  })),
  mutant('add counts those that ended', (checks) => ({
    add: async (check, most) =>
      (await checks.list({ accountId: check.accountId, blogId: check.blogId }, ALL)).totalCount < most &&
      (await checks.add(check, most))
  })),
  mutant('add refuses one that has ended', (checks) => ({
    add: async (check, most) =>
      await checks.add(check.finishedAt === null ? check : { ...check, finishedAt: null, status: 'queued' }, most)
  })),
  mutant('checks are listed oldest first', (checks) => ({
    list: async (blog, page) => {
      const { checks: found, totalCount } = await checks.list(blog, page)
      return { checks: found.reverse(), totalCount }
    }
  })),
  mutant('the number on the page is the total', (checks) => ({
    list: async (blog, page) => {
      const { checks: found } = await checks.list(blog, page)
      return { checks: found, totalCount: found.length }
    }
  })),
  mutant('a list forgets its page', (checks) => ({ list: async (blog) => await checks.list(blog, ALL) })),
  mutant('a list tells what came of its checks', (checks) => ({
    list: async (blog, page) => {
      const { checks: found, totalCount } = await checks.list(blog, page)
      return {
        checks: await Promise.all(found.map(async ({ accountId, id }) => (await checks.find(accountId, id))!)),
        totalCount
      }
    }
  })),
  mutant('the check before one is the last of all', (checks) => ({
    findPrevious: async (check) => await checks.findPrevious({ ...check, id: '~' })
  })),
  mutant('the check before one is of any state', (checks) => ({
    findPrevious: async ({ accountId, blogId, url, id }) => {
      const { checks: found } = await checks.list({ accountId, blogId }, ALL)
      const before = found
        .filter((check) => check.url === url && check.id < id)
        .sort((a, b) => (a.id < b.id ? 1 : -1))[0]
      return before === undefined ? null : await checks.find(accountId, before.id)
    }
  })),
  mutant('the check before one is at any address', (checks) => ({
    findPrevious: async (check) =>
      (await checks.findPrevious({ ...check, url: 'https://shop.example/' })) ?? (await checks.findPrevious(check))
  })),
  mutant('begin looks first and writes later', (checks) => ({
    start: async (run) => {
      const check = await checks.find(run.accountId, run.id)
      await pause()
      return check?.status !== 'queued'
        ? await checks.start(run)
        : await replace(checks, { ...check, status: 'running', startedAt: run.at, attempts: check.attempts + 1 })
    }
  })),
  mutant('begin begins what runs', (checks) => ({
    start: async (run) => await checks.start({ ...run, staleBefore: '~' })
  })),
  mutant('begin never takes over', (checks) => ({
    start: async (run) => await checks.start({ ...run, staleBefore: '' })
  })),
  mutant('begin begins what has ended', (checks) => ({
    start: async (run) => {
      const check = await checks.find(run.accountId, run.id)
      return check?.finishedAt == null
        ? await checks.start(run)
        : await replace(checks, { ...check, status: 'running', startedAt: run.at, attempts: check.attempts + 1 })
    }
  })),
  mutant('attempts are not counted', (checks) => ({
    start: async (run) => {
      const begun = await checks.start(run)
      return begun === null ? null : await replace(checks, { ...begun, attempts: 1 })
    }
  })),
  mutant('release takes no notice of the run', (checks) => ({
    release: async (run) =>
      await checks.release({ ...run, attempt: (await checks.find(run.accountId, run.id))?.attempts ?? 0 })
  })),
  mutant('release keeps the time of the run', (checks) => ({
    release: async (run) => {
      const before = await checks.find(run.accountId, run.id)
      const released = await checks.release(run)
      if (released) await replace(checks, { ...before!, status: 'queued' })
      return released
    }
  })),
  mutant('finish takes no notice of the run', (checks) => ({
    finish: async (run, end, events) =>
      await checks.finish({ ...run, attempt: (await checks.find(run.accountId, run.id))?.attempts ?? 0 }, end, events)
  })),
  mutant('finish ends what has ended once more', (checks) => ({
    finish: async (run, end, events) => {
      const check = await checks.find(run.accountId, run.id)
      return check?.finishedAt == null
        ? await checks.finish(run, end, events)
        : await replace(checks, { ...check, ...end })
    }
  })),
  mutant('finish forgets its events', (checks) => ({
    finish: async (run, end) => await checks.finish(run, end, [])
  })),
  mutant('finish tells its events in any case', (checks, store) => ({
    finish: async (run, end, events) => {
      await store.events.add(events)
      return await checks.finish(run, end, [])
    }
  })),
  mutant('finish forgets what came of it', (checks) => ({
    finish: async (run, end, events) => await checks.finish(run, { ...end, result: null }, events)
  })),
  mutant('unfinished tells the newest first', (checks) => ({
    unfinished: async (staleBefore, limit) => (await checks.unfinished(staleBefore, 1000)).reverse().slice(0, limit)
  })),
  mutant('unfinished tells what runs', (checks) => ({
    unfinished: async (_staleBefore, limit) => await checks.unfinished('~', limit)
  })),
  mutant('unfinished tells what waits alone', (checks) => ({
    unfinished: async (_staleBefore, limit) => await checks.unfinished('', limit)
  })),
  mutant('finishedBefore tells those that ended at the time', (checks) => ({
    finishedBefore: async (time, limit) => await checks.finishedBefore(`${time}~`, limit)
  })),
  mutant('finishedBefore tells the last first', (checks) => ({
    finishedBefore: async (time, limit) => (await checks.finishedBefore(time, limit)).reverse()
  })),
  mutant('remove takes no notice of the account', (checks) => ({
    delete: async (accountId, id) => {
      for (const account of [accountId, 'acme']) await checks.delete(account, id)
    }
  })),
  mutant('remove leaves the check', () => ({ delete: async () => {} }))
]
