import { isDeepStrictEqual } from 'node:util'
import { ApiError, problem } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import type { BlogMetadata, BlogRecord, BlogRevisionRecord, Store } from '../../ports/store/port.ts'
import type { BlogInput, BlogPatch } from '../../schemas/blog.ts'
import type { RevisionAuthor } from '../../schemas/blog-revision.ts'
import { newOperation, type Operation } from '../ids.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { Projects } from '../projects.ts'
import type { Renderer } from '../rendering/index.ts'
import type { StorageQuota } from '../storage.ts'
import type { BlogChanges } from './changes.ts'
import { toAuthoredFields, type AuthoredFields, type ComposedFields } from './compose.ts'
import { assertSlugAllowed, fieldsFromPatch, parsePastTime } from './input.ts'
import { prepareBlog, storedBytes, toNewBlog } from './new-blog.ts'
import { toTombstone, withAddress } from './address.ts'
import { changedFields, nextRevision, revisionBytes, toStoredRevision } from './revisions.ts'
import { isId, isReservedSlug, nextSlug, slugNumbers } from './slug.ts'

/**
 * Shared dependencies. `publicUrl` is called at each use, because with PORT=0 it is known only once
 * the server listens.
 */
export interface BlogParts {
  store: Store
  images: ImageLibrary
  changes: BlogChanges
  renderer: Renderer
  storage: StorageQuota
  publicUrl: () => string
  /** How many earlier revisions of a blog are stored. */
  keepRevisions: number
}

/** Attempts of a change when others change the same blog concurrently. */
const MAX_ATTEMPTS = 5

/**
 * The writing account, and the projects its key is limited to (null: all). `keyEpoch`: the account's,
 * when the request was authenticated. `savedBy`: the author of revisions; default: the service itself.
 */
export interface BlogWriter {
  accountId: string
  projectIds: string[] | null
  keyEpoch?: number
  savedBy?: RevisionAuthor | null
}

/** The blog to change. `ifVersions`: only if it has one of these versions. */
export interface ChangeTarget {
  writer: BlogWriter
  id: string
  ifVersions?: number[] | null
}

/** A change of a blog: what it becomes, and its revision if that is replaced. */
interface BlogChange {
  made: BlogRecord
  replaced: BlogRevisionRecord | null
}

export function assertProjectAllowed(
  { projectIds }: { projectIds: string[] | null },
  projectId: string | undefined
): void {
  if (projectId !== undefined && projectIds !== null && !projectIds.includes(projectId)) {
    throw problem('project_not_allowed', `The API key does not have access to the project "${projectId}".`, {
      members: { projectId }
    })
  }
}

function assertVersion({ version }: BlogRecord, ifVersions: number[] | null): void {
  if (ifVersions !== null && !ifVersions.includes(version)) {
    throw problem(
      'precondition_failed',
      `The blog is at version ${version}, which is not in If-Match. Read the blog again and reapply the change.`
    )
  }
}

/** Whether the blog exists, and the key may access its project. */
const isAccessible = <Found extends BlogMetadata>(blog: Found | null, projectIds: string[] | null): blog is Found =>
  blog !== null && (projectIds === null || projectIds.includes(blog.projectId))

/** The error of a request that may only refer to one blog. */
export const ambiguousSlug = (slug: string, projectIds: string[]) =>
  problem('slug_ambiguous', `Several projects have a blog with the slug "${slug}": ${projectIds.join(', ')}.`, {
    members: { projectIds }
  })

export const unknownBlog = (id: string) => problem('blog_not_found', `There is no blog ${id} in this account.`)

/**
 * Creates, changes and deletes blogs. Every change that readers can see increments the content
 * epoch before the call returns.
 */
export function createBlogWriting({
  store,
  images,
  changes,
  renderer,
  storage,
  publicUrl,
  keepRevisions,
  projects
}: BlogParts & { projects: Projects }) {
  /** Reading, saving and serializing megabytes take tens of milliseconds each: others are served in between. */
  const pause = createYielder()

  /** Renders the blog with its images. `isNew`: it has no images yet. */
  async function compose(accountId: string, fields: AuthoredFields, { isNew = false } = {}): Promise<ComposedFields> {
    return await renderer.composeBlog(accountId, {
      fields,
      images: isNew ? [] : await images.list(accountId, fields.id),
      publicUrl: publicUrl()
    })
  }

  /**
   * Returns a blog in any state. Throws `blog_not_found`, also for a blog of a project that the key
   * may not access.
   */
  async function get({ accountId, projectIds }: BlogWriter, id: string): Promise<BlogRecord> {
    const blog = await store.blogs.find(accountId, id)
    if (!isAccessible(blog, projectIds)) throw await goneOrUnknown(accountId, id)
    return blog
  }

  /** The same without the body. */
  async function getMetadata({ accountId, projectIds }: BlogWriter, id: string): Promise<BlogMetadata> {
    const blog = await store.blogs.findMetadata(accountId, id)
    if (!isAccessible(blog, projectIds)) throw await goneOrUnknown(accountId, id)
    return blog
  }

  async function goneOrUnknown(accountId: string, id: string): Promise<ApiError> {
    const tombstone = await store.blogs.findTombstone(accountId, id)
    return tombstone === null ? unknownBlog(id) : problem('blog_gone', `The blog ${id} was deleted.`)
  }

  /**
   * Reads, changes and saves a blog, and retries on a concurrent change. With `ifVersions`, the
   * first conflict throws `precondition_failed` (412).
   */
  async function change(
    { writer, id, ifVersions = null }: ChangeTarget,
    make: (blog: BlogRecord) => Promise<BlogChange>
  ): Promise<BlogRecord> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await pause()
      const blog = await get(writer, id)
      assertVersion(blog, ifVersions)
      await pause()
      const { made, replaced } = await make(blog)
      await pause()
      if (made === blog) {
        // Runs again, because the caller may retry after this step failed the first time.
        await changes.afterChange(blog, blog)
        return blog
      }
      const next = { ...made, version: blog.version + 1, updatedAt: new Date().toISOString() }
      await changes.beforeChange(blog.accountId, blog, next)
      const events = await changes.eventsFor(blog, next, writer.keyEpoch)
      // Before the change. If that fails, the stored revision is the current one, which nobody sees.
      if (replaced !== null) await store.blogRevisions.put(replaced, keepRevisions)
      // Most of a blog is its body, which a publication does not change.
      const { body, ...metadata } = next
      const keepsBody = body === blog.body || isDeepStrictEqual(body, blog.body)
      if (await store.blogs.save(keepsBody ? metadata : next, blog.version, events)) {
        await changes.afterChange(blog, next)
        return next
      }
    }
    throw problem('edit_conflict', 'The blog was changed concurrently several times. Send the request again.')
  }

  /** A change that does not concern the source. */
  async function update(
    target: ChangeTarget,
    make: (blog: BlogRecord) => BlogRecord | Promise<BlogRecord>
  ): Promise<BlogRecord> {
    return await change(target, async (blog) => ({ made: await make(blog), replaced: null }))
  }

  /** The blog that an earlier attempt created, after the steps that follow its creation. */
  async function findCreated(writer: BlogWriter, id: string): Promise<BlogRecord | null> {
    const blog = await get(writer, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'blog_not_found') return null
      throw error
    })
    if (blog !== null) await changes.afterChange(null, blog)
    return blog
  }

  /**
   * The slug of the blog, and then numbered ones, that were free when they were looked up: the numbered ones all at
   * once, so that their number does not matter.
   */
  async function* freeSlugs({ accountId, projectId, slug }: BlogRecord): AsyncGenerator<string> {
    const [own = slug, ...numbered] = slugNumbers().map((n) => (n === 1 ? slug : nextSlug(slug, n)))
    for (const slugs of [[own], numbered]) {
      const allowed = slugs.filter((candidate) => !isReservedSlug(candidate))
      if (allowed.length === 0) continue
      const found = await store.blogs.findBySlugs({ accountId, projectId }, allowed)
      const taken = new Set(found.map((blog) => blog.slug))
      yield* allowed.filter((candidate) => !taken.has(candidate))
    }
  }

  async function add(blog: BlogRecord, slugGiven: boolean): Promise<BlogRecord> {
    for await (const slug of slugGiven ? [blog.slug] : freeSlugs(blog)) {
      const candidate = { ...blog, slug }
      try {
        await store.blogs.add(candidate, await changes.eventsFor(null, candidate))
        return candidate
      } catch (error) {
        if (slugGiven || !(error instanceof ApiError) || error.code !== 'slug_taken') throw error
      }
    }
    throw problem(
      'slug_taken',
      `The slug "${blog.slug}" and the numbered variants that were tried are taken. Send a slug.`
    )
  }

  return {
    get,
    getMetadata,
    update,

    /**
     * The id of the blog with this slug or id, in any status. Throws `blog_not_found`, and
     * `slug_ambiguous` if several projects of the key have a blog with this slug.
     */
    async resolveId(writer: BlogWriter, slugOrId: string, projectId?: string): Promise<string> {
      assertProjectAllowed(writer, projectId)
      if (isId(slugOrId)) {
        const blog = projectId === undefined ? null : await get(writer, slugOrId)
        if (blog !== null && blog.projectId !== projectId) throw unknownBlog(slugOrId)
        return slugOrId
      }
      const found = await store.blogs.findBySlug({ ...writer, projectId }, slugOrId)
      if (found.length > 1) {
        throw ambiguousSlug(
          slugOrId,
          found.map((blog) => blog.projectId)
        )
      }
      if (found[0] === undefined) throw problem('blog_not_found', `No blog has the slug "${slugOrId}".`)
      return found[0].id
    },

    /**
     * Creates a blog. A retry returns the blog that an earlier attempt created. Throws `slug_taken`,
     * `reserved_slug`, `invalid_request`, `project_not_allowed` and `project_not_found`, and
     * `blog_gone` for a retry after the blog was deleted.
     */
    async create(
      writer: BlogWriter,
      input: BlogInput,
      { id, isRetry }: Operation = newOperation()
    ): Promise<BlogRecord> {
      const created = isRetry ? await findCreated(writer, id) : null
      if (created !== null) return created
      assertProjectAllowed(writer, input.projectId)
      const prepared = prepareBlog(id, input)
      const { accountId } = writer
      const composed = await compose(accountId, prepared.fields, { isNew: true })
      await pause()
      const made = toNewBlog(writer, prepared, composed)
      await storage.reserve(accountId, { blogs: 1, bytes: storedBytes(prepared.fields.source) })
      await changes.beforeChange(accountId, null, made)
      await projects.resolveForWrite(accountId, input.projectId)
      const blog = await add(made, input.slug !== undefined)
      await changes.afterChange(null, blog)
      return blog
    },

    /** `restoredFrom`: the number of the revision that the patch restores. */
    async patch(
      writer: BlogWriter,
      id: string,
      {
        patch,
        ifVersions,
        restoredFrom = null
      }: { patch: BlogPatch; ifVersions: number[] | null; restoredFrom?: number | null }
    ): Promise<BlogRecord> {
      assertProjectAllowed(writer, patch.projectId)
      if (patch.slug !== undefined) assertSlugAllowed(patch.slug)
      const dated = parsePastTime(patch.publishedAt, '/publishedAt')
      return await change({ writer, id, ifVersions }, async (blog) => {
        const words = fieldsFromPatch(blog, patch)
        const composed = await compose(writer.accountId, words)
        await pause()
        const fields = changedFields(toAuthoredFields(blog), words)
        const replaced = fields.length === 0 ? null : await toStoredRevision(blog)
        const growth =
          storedBytes(words.source) -
          storedBytes(blog.body.source) +
          (replaced === null ? 0 : revisionBytes(replaced, keepRevisions))
        if (growth > 0) await storage.reserve(blog.accountId, { bytes: growth })
        // The last step that can fail, so that a rejected change leaves no new project behind.
        if (patch.projectId !== undefined) await projects.resolveForWrite(writer.accountId, patch.projectId)
        const { savedBy = null } = writer
        const made = keepIfUnchanged(blog, {
          ...withAddress(blog, patch),
          ...composed,
          publishedAt: dated ?? blog.publishedAt,
          ...(replaced === null
            ? {}
            : { revision: nextRevision(blog, { savedBy, changedFields: fields, restoredFrom }) })
        })
        return { made, replaced }
      })
    },

    /**
     * The blog as the patch would make it. Nothing is saved. Throws like `patch`, except for what
     * only concerns saving: quotas, taken slugs and concurrent changes.
     */
    async render(writer: BlogWriter, id: string, patch: BlogPatch): Promise<BlogRecord> {
      assertProjectAllowed(writer, patch.projectId)
      const blog = await get(writer, id)
      const composed = await compose(writer.accountId, fieldsFromPatch(blog, patch))
      return { ...blog, ...composed, projectId: patch.projectId ?? blog.projectId, slug: patch.slug ?? blog.slug }
    },

    /** Renders the content again from its source, after the rules or the blog's images changed. */
    async recompose(writer: BlogWriter, id: string): Promise<BlogRecord> {
      return await update({ writer, id }, async (blog) => {
        return keepIfUnchanged(blog, {
          ...blog,
          ...(await compose(blog.accountId, toAuthoredFields(blog)))
        })
      })
    },

    /** Returns the deleted blog. */
    async delete(writer: BlogWriter, id: string, ifVersions: number[] | null): Promise<BlogRecord> {
      if ((await store.blogs.findTombstone(writer.accountId, id)) !== null) {
        await changes.afterRepeatedDelete(writer.accountId)
      }
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const blog = await get(writer, id)
        assertVersion(blog, ifVersions)
        await changes.beforeChange(blog.accountId, blog, null)
        if (
          await store.blogs.delete(
            toTombstone(blog),
            blog.version,
            await changes.eventsFor(blog, null, writer.keyEpoch)
          )
        ) {
          await changes.afterChange(blog, null)
          await images.removeAll(id)
          return blog
        }
      }
      throw problem('edit_conflict', 'The blog was changed concurrently several times. Send the request again.')
    }
  }
}

/**
 * Returns the unchanged blog when nothing differs, so that a repeated call creates no new version.
 */
const keepIfUnchanged = (blog: BlogRecord, made: BlogRecord) => (isDeepStrictEqual(made, blog) ? blog : made)
