import { ApiError } from '../../errors.ts'
import type { BlogMetadata, ProjectRecord, Store, VisualCheckRecord } from '../../ports/store/port.ts'
import { VIEWPORT_NAMES } from '../../schemas/visual-check.ts'
import { blogIndexUrl } from '../blogs/responses.ts'
import { newId } from '../ids.ts'
import type { CheckRequest, createCheckQuota } from './quota.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Projects whose schedules are read at once. */
const BATCH_SIZE = 100
/** Checks that one project may add in one sweep: as many as may be unfinished. */
const MAX_PER_SWEEP = 2
/** When a schedule is due again that could not add a check. */
const RETRY_MS = 60_000
/** When a schedule is due again whose project has no blogs, or whose account has no visual checks. */
const IDLE_MS = HOUR_MS

interface Dependencies {
  store: Store
  quota: ReturnType<typeof createCheckQuota>
  enqueue: (check: VisualCheckRecord) => Promise<void>
}

/** The length of an interval such as `12h` or `1d`, in milliseconds. */
export const intervalMs = (every: string): number =>
  Number.parseInt(every, 10) * (every.endsWith('h') ? HOUR_MS : DAY_MS)

const isoTime = (ms: number): string => new Date(ms).toISOString()

/**
 * The schedules of projects: the pages of a project's published blogs are checked in turn, each of
 * them once in the interval. With 24 blogs and an interval of a day, a page is checked every hour.
 */
export function createSchedule({ store, quota, enqueue }: Dependencies) {
  /** The blog whose turn it is. Blogs that are published later come last. */
  async function findBlog({ accountId, id: projectId }: ProjectRecord, position: number) {
    const filter = { accountId, projectIds: null, projectId, status: 'published', sort: 'publishedAt' } as const
    const at = async (page: number) => await store.blogs.list(filter, { page, pageSize: 1, withBody: false })
    const { blogs, totalCount } = await at(position + 1)
    // The end of the list, or blogs that were unpublished meanwhile: the next turn begins.
    if (blogs.length === 0 && totalCount > 0) return { blog: (await at(1)).blogs[0], position: 0, totalCount }
    return { blog: blogs[0], position, totalCount }
  }

  /** Adds a check of the blog's page. Returns false if a limit of the account does not allow it. */
  async function addCheck(project: ProjectRecord, { id: blogId, slug }: BlogMetadata): Promise<boolean> {
    const request: CheckRequest = {
      id: newId(),
      accountId: project.accountId,
      projectId: project.id,
      blogId,
      url: new URL(`${blogIndexUrl(project)}/${slug}`).href,
      environment: 'live',
      trigger: 'schedule',
      viewports: [...VIEWPORT_NAMES],
      detail: 'thumbs'
    }
    let check: VisualCheckRecord
    try {
      check = await quota.add(request)
    } catch (error) {
      if (error instanceof ApiError && error.retryable) return false
      throw error
    }
    await enqueue(check)
    return true
  }

  async function hasVisualChecks(accountId: string): Promise<boolean> {
    return (await store.accounts.find(accountId))?.features.includes('visual-check') ?? false
  }

  /** Adds the due checks of one project. Returns when the schedule is due again. */
  async function addOfProject(project: ProjectRecord, nowMs: number) {
    const { accountId, visualCheck, siteUrl } = project
    if (visualCheck === null || visualCheck === undefined || siteUrl === null) return { nextCheckAt: null }
    if (!(await hasVisualChecks(accountId))) return { nextCheckAt: isoTime(nowMs + IDLE_MS) }
    let position = project.nextCheckPosition ?? 0
    let nextMs = Date.parse(project.nextCheckAt!)
    for (let added = 0; added < MAX_PER_SWEEP && nextMs <= nowMs; added++) {
      const found = await findBlog(project, position)
      if (found.blog === undefined) return { nextCheckAt: isoTime(nowMs + IDLE_MS), nextCheckPosition: 0 }
      if (!(await addCheck(project, found.blog))) {
        return { nextCheckAt: isoTime(nowMs + RETRY_MS), nextCheckPosition: found.position }
      }
      position = found.position + 1
      const stepMs = intervalMs(visualCheck.every) / found.totalCount
      // After an outage, the pages that were missed are not checked all at once.
      nextMs = Math.max(nextMs, nowMs - MAX_PER_SWEEP * stepMs) + stepMs
    }
    return { nextCheckAt: isoTime(nextMs), nextCheckPosition: position }
  }

  return {
    /**
     * Adds the checks that are due by now. Two calls at the same time may add a check twice. Ends
     * early when the signal aborts, and while the queue is full.
     */
    async addDue(signal: AbortSignal): Promise<void> {
      const nowMs = Date.now()
      const seen = new Set<string>()
      while (!signal.aborted && !(await quota.isFull())) {
        const due = await store.projects.dueForCheck(isoTime(nowMs), BATCH_SIZE)
        const fresh = due.filter(({ accountId, id }) => !seen.has(JSON.stringify([accountId, id])))
        for (const project of fresh) {
          if (signal.aborted) return
          const { accountId, id } = project
          seen.add(JSON.stringify([accountId, id]))
          await store.projects.update(accountId, id, await addOfProject(project, nowMs))
        }
        if (fresh.length === 0 || due.length < BATCH_SIZE) return
      }
    }
  }
}
