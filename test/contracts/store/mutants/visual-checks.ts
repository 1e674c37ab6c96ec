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
  mutant('the result of a check is lost', (checks) => ({
    add: async (check, most) => await checks.add({ ...check, result: null }, most)
  })),
  mutant('names of measurements lose their dots', (checks) => ({
    add: async (check, most) =>
      await checks.add(JSON.parse(JSON.stringify(check).replaceAll('a.b', 'ab')) as VisualCheckRecord, most)
  })),
  mutant('find ignores the account', (checks) => ({
    find: async (accountId, id) => (await checks.find(accountId, id)) ?? (await checks.find('acme', id))
  })),
  mutant('add ignores the limit of unfinished checks', (checks) => ({
    add: async (check) => await checks.add(check, 1000)
  })),
  mutant('add counts and writes in separate steps', (checks) => ({
    add: async (check, most) => {
      const { checks: all } = await checks.list({ accountId: check.accountId, blogId: check.blogId }, ALL)
      await pause()
      return all.filter(({ finishedAt }) => finishedAt === null).length < most && (await checks.add(check, 1000))
    }
  })),
  mutant('add counts finished checks', (checks) => ({
    add: async (check, most) =>
      (await checks.list({ accountId: check.accountId, blogId: check.blogId }, ALL)).totalCount < most &&
      (await checks.add(check, most))
  })),
  mutant('add rejects a finished check', (checks) => ({
    add: async (check, most) =>
      await checks.add(check.finishedAt === null ? check : { ...check, finishedAt: null, status: 'queued' }, most)
  })),
  mutant('checks are listed oldest first', (checks) => ({
    list: async (blog, page) => {
      const { checks: found, totalCount } = await checks.list(blog, page)
      return { checks: found.reverse(), totalCount }
    }
  })),
  mutant('the page size is returned as the total', (checks) => ({
    list: async (blog, page) => {
      const { checks: found } = await checks.list(blog, page)
      return { checks: found, totalCount: found.length }
    }
  })),
  mutant('list ignores the page', (checks) => ({ list: async (blog) => await checks.list(blog, ALL) })),
  mutant('list includes results', (checks) => ({
    list: async (blog, page) => {
      const { checks: found, totalCount } = await checks.list(blog, page)
      return {
        checks: await Promise.all(found.map(async ({ accountId, id }) => (await checks.find(accountId, id))!)),
        totalCount
      }
    }
  })),
  mutant('list ignores the URL', (checks) => ({
    list: async ({ accountId, blogId }, page) => await checks.list({ accountId, blogId }, page)
  })),
  mutant('the history has later checks', (checks) => ({
    history: async (check, limit) => await checks.history({ ...check, id: '~' }, limit)
  })),
  mutant('the history has checks without a score', (checks) => ({
    history: async ({ accountId, blogId, url, id }, limit) =>
      (await checks.list({ accountId, blogId, url }, ALL)).checks
        .filter((check) => check.id <= id)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
  })),
  mutant('the history is in ascending order', (checks) => ({
    history: async (check, limit) => (await checks.history(check, limit)).reverse()
  })),
  mutant('the previous check is the latest of all', (checks) => ({
    findPrevious: async (check) => await checks.findPrevious({ ...check, id: '~' })
  })),
  mutant('the previous check may have any status', (checks) => ({
    findPrevious: async ({ accountId, blogId, url, id }) => {
      const { checks: found } = await checks.list({ accountId, blogId }, ALL)
      const before = found
        .filter((check) => check.url === url && check.id < id)
        .sort((a, b) => (a.id < b.id ? 1 : -1))[0]
      return before === undefined ? null : await checks.find(accountId, before.id)
    }
  })),
  mutant('the previous check may have any URL', (checks) => ({
    findPrevious: async (check) =>
      (await checks.findPrevious({ ...check, url: 'https://shop.example/' })) ?? (await checks.findPrevious(check))
  })),
  mutant('start reads and writes in separate steps', (checks) => ({
    start: async (run) => {
      const check = await checks.find(run.accountId, run.id)
      await pause()
      return check?.status !== 'queued'
        ? await checks.start(run)
        : await replace(checks, { ...check, status: 'running', startedAt: run.at, attempts: check.attempts + 1 })
    }
  })),
  mutant('start starts a running check', (checks) => ({
    start: async (run) => await checks.start({ ...run, staleBefore: '~' })
  })),
  mutant('start never takes over an abandoned check', (checks) => ({
    start: async (run) => await checks.start({ ...run, staleBefore: '' })
  })),
  mutant('start starts a finished check', (checks) => ({
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
  mutant('release ignores the run', (checks) => ({
    release: async (run) =>
      await checks.release({ ...run, attempt: (await checks.find(run.accountId, run.id))?.attempts ?? 0 })
  })),
  mutant('release does not clear the start time', (checks) => ({
    release: async (run) => {
      const before = await checks.find(run.accountId, run.id)
      const released = await checks.release(run)
      if (released) await replace(checks, { ...before!, status: 'queued' })
      return released
    }
  })),
  mutant('finish ignores the run', (checks) => ({
    finish: async (run, end, events) =>
      await checks.finish({ ...run, attempt: (await checks.find(run.accountId, run.id))?.attempts ?? 0 }, end, events)
  })),
  mutant('finish finishes a finished check again', (checks) => ({
    finish: async (run, end, events) => {
      const check = await checks.find(run.accountId, run.id)
      return check?.finishedAt == null
        ? await checks.finish(run, end, events)
        : await replace(checks, { ...check, ...end })
    }
  })),
  mutant('finish adds no events', (checks) => ({
    finish: async (run, end) => await checks.finish(run, end, [])
  })),
  mutant('finish always adds its events', (checks, store) => ({
    finish: async (run, end, events) => {
      await store.events.add(events)
      return await checks.finish(run, end, [])
    }
  })),
  mutant('finish loses the result', (checks) => ({
    finish: async (run, end, events) => await checks.finish(run, { ...end, result: null }, events)
  })),
  mutant('unfinished lists the newest first', (checks) => ({
    unfinished: async (staleBefore, page) => {
      const { items, next } = await checks.unfinished(staleBefore, page)
      return { items: items.toReversed(), next }
    }
  })),
  mutant('unfinished lists running checks', (checks) => ({
    unfinished: async (_staleBefore, page) => await checks.unfinished('~', page)
  })),
  mutant('unfinished omits abandoned checks', (checks) => ({
    unfinished: async (_staleBefore, page) => await checks.unfinished('', page)
  })),
  mutant('finishedBefore includes its end', (checks) => ({
    finishedBefore: async (time, limit) => await checks.finishedBefore(`${time}~`, limit)
  })),
  mutant('finishedBefore lists the latest first', (checks) => ({
    finishedBefore: async (time, limit) => (await checks.finishedBefore(time, limit)).reverse()
  })),
  mutant('delete ignores the account', (checks) => ({
    delete: async (accountId, id) => {
      for (const account of [accountId, 'acme']) await checks.delete(account, id)
    }
  })),
  mutant('delete does not delete the check', () => ({ delete: async () => {} }))
]
