import { problem, type ApiError } from '../../errors.ts'
import { createAccountSlots } from '../../lib/account-slots.ts'
import { createYielder } from '../../lib/async.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogRecord, ReadScope, Store } from '../../ports/store/port.ts'
import type { ArticleStyle } from '../../schemas/article-style.ts'
import type { Blog, BlogDraft } from '../../schemas/blog.ts'
import type { Audit } from '../audit.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { ProjectCache } from '../project-cache.ts'
import type { Projects } from '../projects.ts'
import type { Renderer } from '../rendering/index.ts'
import type { StorageQuota } from '../storage.ts'
import { createBatchCreation } from './batch-creation.ts'
import { createBlogChanges } from './changes.ts'
import { createBlogDelivery } from './delivery.ts'
import { createBlogFeeds } from './feeds.ts'
import { createBlogImages } from './images.ts'
import { createBlogLists } from './lists.ts'
import { createPreparedBlogs } from './prepared.ts'
import { createBlogPublication } from './publication.ts'
import { createBlogReading, type BlogReader } from './reading.ts'
import type { BulkChanges } from './related/bulk-changes.ts'
import { createBlogRevisions } from './revisions.ts'
import { resolveStyle } from './content/index.ts'
import { toDraftResponse } from './responses.ts'
import { isId } from './slug.ts'
import { assertProjectAllowed, createBlogWriting, type BlogWriter } from './writing.ts'

export type Blogs = ReturnType<typeof createBlogs>

interface Parts {
  store: Store
  queue: Queue
  limits: Limits
  projects: Projects
  images: ImageLibrary
  renderer: Renderer
  storage: StorageQuota
  audit: Audit
  /** Settings of projects, for reads. */
  projectCache: ProjectCache
  bulkChanges: BulkChanges
  publicUrl: () => string
  /** How many earlier revisions of a blog are stored. */
  keepRevisions: number
  /** Receives errors of work in the background that may be lost. */
  onError: (error: unknown) => void
}

/** Changes of a blog that wait for the one in progress. */
const MAX_WAITING_CHANGES = 8

/** The blog service: authoring, publishing, reading, images and feeds. */
export function createBlogs({
  store,
  queue,
  limits,
  projects,
  images,
  renderer,
  storage,
  projectCache,
  bulkChanges,
  audit,
  publicUrl,
  keepRevisions,
  onError
}: Parts) {
  const changes = createBlogChanges({ store, limits, queue, projectCache })
  const delivery = createBlogDelivery({ store, projects: projectCache, publicUrl })
  const prepared = createPreparedBlogs({ store, onError })
  const lists = createBlogLists({ store, delivery, prepared })
  const reading = createBlogReading({ store, delivery, prepared, publicUrl })
  const writing = createBlogWriting({ store, images, changes, renderer, storage, publicUrl, keepRevisions, projects })
  const batches = createBatchCreation({ store, changes, renderer, storage, publicUrl, projects, bulkChanges })
  const publication = createBlogPublication({ queue, audit, writing })
  const revisions = createBlogRevisions({ store, writing, keep: keepRevisions })
  const blogImages = createBlogImages({ images, storage, writing })

  const pause = createYielder()
  const changing = createAccountSlots({ running: 1, waiting: MAX_WAITING_CHANGES })

  /**
   * Changes the source of a blog after the changes that are in progress: of changes at the same time, all but one
   * would be rendered for nothing, and once more. Throws `busy` if too many wait.
   */
  async function changeInTurn(
    { accountId }: BlogWriter,
    blogId: string,
    change: () => Promise<BlogRecord>
  ): Promise<BlogRecord> {
    // Other accounts may know the id. Their requests must not take the places of this one.
    const slot = changing(`${accountId} ${blogId}`)
    if (slot === null) {
      throw problem('busy', `${MAX_WAITING_CHANGES} other changes of the blog ${blogId} are waiting. Try again.`, {
        headers: { 'Retry-After': '1' }
      })
    }
    try {
      await slot.ready
      return await change()
    } finally {
      slot.release()
    }
  }

  /** Builds the response for authors, for a blog in any state. */
  async function draftResponse(blog: BlogRecord, { keyEpoch }: Partial<BlogReader> = {}): Promise<BlogDraft> {
    const place = await delivery.contextOf(blog, keyEpoch)
    // A blog may have megabytes: it was read or saved in this turn, and is serialized in another one.
    await pause()
    const response = toDraftResponse(blog, place)
    await pause()
    return response
  }

  return {
    getBySlug: reading.getBySlug,
    findStored: reading.findStored,
    getIdBySlug: reading.getIdBySlug,
    list: lists.list,
    categories: reading.categories,
    tags: reading.tags,
    authors: reading.authors,
    redirects: reading.redirects,
    related: reading.related,

    get: writing.get,
    getMetadata: writing.getMetadata,
    resolveId: writing.resolveId,
    create: writing.create,
    createMany: batches.createMany,
    patch: (writer: BlogWriter, id: string, change: Parameters<typeof writing.patch>[2]) =>
      changeInTurn(writer, id, () => writing.patch(writer, id, change)),
    render: writing.render,
    delete: writing.delete,
    recompose: writing.recompose,
    toDraftResponse: draftResponse,

    listRevisions: revisions.list,
    getRevision: revisions.get,
    restoreRevision: (writer: BlogWriter, id: string, target: Parameters<typeof revisions.restore>[2]) =>
      changeInTurn(writer, id, () => revisions.restore(writer, id, target)),

    publish: publication.publish,
    unpublish: publication.unpublish,
    publishDue: publication.publishDue,

    addImage: blogImages.add,
    listImages: blogImages.list,
    removeImage: blogImages.remove,

    /** Writes responses that wait to be stored. Call it at shutdown. */
    flushResponses: prepared.flush,

    feeds: createBlogFeeds({ store, delivery, publicUrl }),

    /**
     * The account of the blog behind a preview link. Throws `blog_not_found` for an invalid or expired token and for an
     * unknown blog alike.
     */
    async previewAccount({ id, token }: { id: string; token: string }): Promise<string> {
      const head = images.isValidPreviewToken(id, token) ? await store.blogs.findMetadataById(id) : null
      if (head === null) throw invalidPreview()
      return head.accountId
    },

    /**
     * A blog in any state, and the settings of its look. The given settings replace those of the project, for this page
     * only. Throws `blog_not_found`.
     */
    async preview(
      { accountId, id }: { accountId: string; id: string },
      settings: Partial<ArticleStyle> = {}
    ): Promise<{ blog: BlogDraft; style: ArticleStyle }> {
      const blog = await store.blogs.find(accountId, id)
      if (blog === null) throw invalidPreview()
      const place = await delivery.contextOf(blog)
      const style = resolveStyle({ ...place.project, ...settings })
      await pause()
      const response = toDraftResponse(blog, { ...place, style })
      await pause()
      return { blog: response, style }
    },

    /**
     * A blog in any state, in the form in which readers will see it. Throws `blog_not_found` unless the
     * preview token is that of a blog with this slug or id that the key may read.
     */
    async previewBySlug(
      reader: ReadScope,
      { slug, projectId }: { slug: string; projectId?: string | undefined },
      token: string
    ): Promise<Blog> {
      assertProjectAllowed(reader, projectId)
      const isInScope = (blog: BlogRecord | null): blog is BlogRecord =>
        blog !== null &&
        (reader.projectIds?.includes(blog.projectId) ?? true) &&
        (projectId === undefined || blog.projectId === projectId)
      const candidates = isId(slug)
        ? [await store.blogs.find(reader.accountId, slug)].filter(isInScope)
        : await store.blogs.findBySlug({ ...reader, projectId }, slug)
      const found = candidates.find(({ id }) => images.isValidPreviewToken(id, token))
      if (found === undefined) {
        throw problem('blog_not_found', `The preview token is expired, or not of the blog "${slug}".`)
      }
      const { blog } = await this.preview({ accountId: reader.accountId, id: found.id })
      return { ...blog, publishedAt: blog.publishedAt ?? blog.publishAt ?? blog.updatedAt }
    }
  }
}

const invalidPreview = (): ApiError => problem('blog_not_found', 'The preview link is invalid or has expired.')
