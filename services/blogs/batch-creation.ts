import { ApiError } from '../../errors.ts'
import { mapConcurrently } from '../../lib/async.ts'
import type { BlogRecord } from '../../ports/store/port.ts'
import type { BlogInput } from '../../schemas/blog.ts'
import { newId } from '../ids.ts'
import type { Projects } from '../projects.ts'
import type { BulkChanges } from './related/bulk-changes.ts'
import { prepareBlog, storedBytes, toNewBlog } from './new-blog.ts'
import type { BlogParts, BlogWriter } from './writing.ts'

/** Blogs of a batch that are rendered at once. An account may have 64 waiting, and sends several batches. */
const RENDERED_AT_ONCE = 16

/** A new blog with a slug. Without translations: those of one batch would have to name each other. */
export type BatchInput = BlogInput & { slug: string; translationKey?: null }

/**
 * Creates many blogs of a project. They are rendered in threads, and written, announced and related
 * together. Each blog succeeds or fails by itself.
 */
export function createBatchCreation({
  store,
  changes,
  renderer,
  storage,
  publicUrl,
  projects,
  bulkChanges
}: Omit<BlogParts, 'images' | 'keepRevisions'> & { projects: Projects; bulkChanges: BulkChanges }) {
  async function make(writer: BlogWriter, input: BatchInput): Promise<BlogRecord> {
    const { accountId } = writer
    const prepared = prepareBlog(newId(), input)
    const { fields } = prepared
    const composed = await renderer.composeBlog(accountId, { fields, images: [], publicUrl: publicUrl() })
    await storage.reserve(accountId, { blogs: 1, bytes: storedBytes(fields.source) })
    return toNewBlog(writer, prepared, composed)
  }

  /** The path of the project's blog, or the error because of which nothing can be written to the project. */
  async function findBlogPath(accountId: string, projectId: string): Promise<string | ApiError> {
    return await orRejection(async () => (await projects.resolveForWrite(accountId, projectId)).blogPath)
  }

  async function createBatch(
    writer: BlogWriter,
    projectId: string,
    inputs: BatchInput[]
  ): Promise<(BlogRecord | ApiError)[]> {
    const { accountId } = writer
    const made = await mapConcurrently(inputs, RENDERED_AT_ONCE, (input) => orRejection(() => make(writer, input)))
    const blogs = made.filter((blog): blog is BlogRecord => !(blog instanceof ApiError))
    if (blogs.length === 0) return made
    const published = blogs.find(({ status }) => status === 'published') ?? null
    await changes.beforeChange(accountId, null, published)
    const blogPath = await findBlogPath(accountId, projectId)
    if (blogPath instanceof ApiError) return made.map((blog) => (blog instanceof ApiError ? blog : blogPath))
    const errors = await store.blogs.addMany(
      blogs.map((blog) => ({ blog, events: changes.eventsForNew(blog, blogPath) }))
    )
    const failures = new Map(blogs.map((blog, at) => [blog, errors[at] ?? null]))
    await changes.afterChange(null, published ?? blogs[0]!)
    return made.map((blog) => {
      const failure = blog instanceof ApiError ? blog : failures.get(blog)
      if (failure instanceof ApiError) return failure
      if (failure != null) throw failure
      return blog
    })
  }

  return {
    /**
     * Returns for each input the blog, or the error because of which it was not created. Throws
     * `unavailable`, after which some may be created.
     */
    async createMany(writer: BlogWriter, projectId: string, inputs: BatchInput[]): Promise<(BlogRecord | ApiError)[]> {
      const end = bulkChanges.begin(writer.accountId)
      try {
        return await createBatch(writer, projectId, inputs)
      } finally {
        end()
      }
    }
  }
}

/** The result of the work, or the error of the request that it throws. */
async function orRejection<Result>(work: () => Promise<Result>): Promise<Result | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return error
    throw error
  }
}
