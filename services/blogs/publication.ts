import { problem, ApiError } from '../../errors.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogRecord } from '../../ports/store/port.ts'
import { toUtc } from '../../schemas/formats.ts'
import { SYSTEM, type Audit } from '../audit.ts'
import { withPublicSlug } from './address.ts'
import type { ChangeTarget, createBlogWriting } from './writing.ts'

/** How far in the future a blog may be scheduled. */
const MAX_SCHEDULE_AHEAD_MS = 5 * 365 * 24 * 3_600_000

/**
 * Publications are queued this long before they are due, in milliseconds: a blog that is rescheduled leaves its former
 * job in the queue until that is due. Must be longer than the interval of sweeps, which queue the others.
 */
export const QUEUED_AHEAD_MS = 10 * 60_000

/** Queues the publication of a scheduled blog. `at`: in milliseconds since 1970. */
export async function queuePublication(
  queue: Queue,
  { accountId, id, at }: { accountId: string; id: string; at: number }
): Promise<void> {
  const delayMs = Math.max(0, at - Date.now())
  await queue.add('publish-blog', { accountId, blogId: id }, { key: `${id} ${at}`, delayMs })
}

/**
 * States: draft → scheduled → published → unpublished. The schedule is stored with the blog. The
 * delayed job publishes on time, and the sweeper queues those that are due soon or whose job was lost.
 */
export function createBlogPublication({
  queue,
  audit,
  writing
}: {
  queue: Queue
  audit: Audit
  writing: ReturnType<typeof createBlogWriting>
}) {
  const published = (blog: BlogRecord, at: string): BlogRecord => ({
    ...withPublicSlug(blog),
    status: 'published',
    publishedAt: blog.publishedAt ?? at,
    publishAt: null,
    withdrawnAt: null
  })

  return {
    /** Publishes now, or at `publishAt`. No effect on a published blog. */
    async publish(target: ChangeTarget, publishAt?: string): Promise<BlogRecord> {
      const now = Date.now()
      const at = publishAt === undefined ? now : Date.parse(toUtc(publishAt))
      if (at > now + MAX_SCHEDULE_AHEAD_MS) {
        throw problem('invalid_request', 'publishAt must be at most five years in the future.', {
          errors: [{ pointer: '/publishAt', code: 'too_far', message: 'must be at most five years in the future' }]
        })
      }
      if (at <= now) {
        return await writing.update(target, (blog) =>
          blog.status === 'published' ? blog : published(blog, new Date(at).toISOString())
        )
      }
      const scheduled = await writing.update(target, (blog) => {
        if (blog.status === 'published') {
          throw problem('blog_state_conflict', 'The blog is already published. Unpublish it before you schedule it.')
        }
        return { ...blog, status: 'scheduled', publishAt: new Date(at).toISOString() }
      })
      const { writer, id } = target
      if (at - now <= QUEUED_AHEAD_MS) await queuePublication(queue, { accountId: writer.accountId, id, at })
      return scheduled
    },

    /** Unpublishes a published blog, or cancels the schedule of a scheduled one. */
    async unpublish(target: ChangeTarget): Promise<BlogRecord> {
      return await writing.update(target, (blog) => {
        if (blog.status === 'published') {
          return { ...blog, status: 'unpublished', withdrawnAt: new Date().toISOString() }
        }
        if (blog.status === 'scheduled') {
          return {
            ...blog,
            status: blog.slugWasPublic || blog.formerSlugs.length > 0 ? 'unpublished' : 'draft',
            publishAt: null
          }
        }
        if (blog.status === 'unpublished') return blog
        throw problem(
          'blog_state_conflict',
          'The blog is a draft, and only published or scheduled blogs can be unpublished.'
        )
      })
    },

    /**
     * Publishes a scheduled blog that is due. No effect if it was published, rescheduled, cancelled
     * or deleted in the meantime.
     */
    async publishDue(accountId: string, id: string): Promise<void> {
      try {
        let isDue = false
        const { projectId, title } = await writing.update({ writer: { accountId, projectIds: null }, id }, (blog) => {
          isDue = blog.status === 'scheduled' && blog.publishAt !== null && Date.parse(blog.publishAt) <= Date.now()
          return isDue ? { ...published(blog, blog.publishAt!), publishedAt: blog.publishedAt ?? blog.publishAt } : blog
        })
        if (!isDue) return
        await audit.record({
          accountId,
          actor: SYSTEM,
          action: 'blog.published',
          target: { type: 'blog', id, label: title },
          projectId,
          changes: [],
          requestId: null,
          ipAddress: null
        })
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
  }
}

/** Whether the blog was deleted before its job ran, which is not an error. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'blog_gone' || error.code === 'blog_not_found')
