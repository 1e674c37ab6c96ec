import { ApiError, type FieldError } from '../errors.ts'
import { mapConcurrently } from '../lib/async.ts'
import type { BlogRecord, Store } from '../ports/store/port.ts'
import type { BlogImportResult, ImportedBlog } from '../schemas/blog-import.ts'
import type { BatchInput } from './blogs/batch-creation.ts'
import type { Blogs } from './blogs/index.ts'
import type { BlogWriter } from './blogs/writing.ts'
import { newOperation } from './ids.ts'

export type BlogImport = ReturnType<typeof createBlogImport>

type Outcome = Pick<BlogImportResult, 'result' | 'warnings'>

/** A blog to import, and its number in the request. */
export interface ImportItem {
  index: number
  blog: ImportedBlog
  /** The id of a new blog. Default: generated. */
  id?: string
}

/** Existing blogs that are changed at once. */
const UPDATED_AT_ONCE = 8

/** Imports blogs from other systems by project and slug. Importing the same blog again changes nothing. */
export function createBlogImport({ store, blogs }: { store: Store; blogs: Blogs }) {
  async function addImages(
    writer: BlogWriter,
    blog: BlogRecord,
    images: ImportedBlog['images'] = []
  ): Promise<BlogRecord> {
    for (const { name, alt, base64 } of images) {
      const bytes = Buffer.from(base64, 'base64')
      await blogs.addImage(writer, blog.id, { name, alt, size: bytes.length, load: async () => bytes })
    }
    return images.length === 0 ? blog : await blogs.get(writer, blog.id)
  }

  /** A blog with images is published only after its images were stored. */
  async function create(
    writer: BlogWriter,
    projectId: string,
    { blog: { images, ...input }, id }: ImportItem
  ): Promise<Outcome> {
    const isPublished = input.status === 'published'
    const created = await blogs.create(
      writer,
      { ...input, projectId, status: images === undefined ? input.status : 'draft' },
      id === undefined ? newOperation() : { id, isRetry: false }
    )
    const blog = await addImages(writer, created, images).catch(async (error: unknown) => {
      // A failed blog must not exist: the next import starts over.
      await blogs.delete(writer, created.id, null)
      throw error
    })
    if (isPublished && images !== undefined) await blogs.publish({ writer, id: blog.id }, blog.publishedAt ?? undefined)
    return { result: 'created', warnings: blog.body.warnings }
  }

  async function update(writer: BlogWriter, id: string, { images, status, ...patch }: ImportedBlog): Promise<Outcome> {
    const before = await blogs.get(writer, id)
    await addImages(writer, before, images)
    const patched = await blogs.patch(writer, id, { patch, ifVersions: null })
    const blog =
      status === 'published' && patched.status !== 'published' ? await blogs.publish({ writer, id }) : patched
    return { result: blog.version === before.version ? 'unchanged' : 'updated', warnings: blog.body.warnings }
  }

  /** Errors of the blog become its result, so that other blogs are imported. */
  async function importBlog(writer: BlogWriter, projectId: string, item: ImportItem): Promise<BlogImportResult> {
    const { index, blog } = item
    try {
      const [existing] = await store.blogs.findBySlug({ ...writer, projectId }, blog.slug)
      const outcome =
        existing === undefined ? await create(writer, projectId, item) : await update(writer, existing.id, blog)
      return { index, slug: blog.slug, errors: [], ...outcome }
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
      return toErrorResult(item, error)
    }
  }

  /** Creates blogs together. */
  async function createAll(writer: BlogWriter, projectId: string, items: ImportItem[]): Promise<BlogImportResult[]> {
    const inputs = items.map(
      ({ blog: { images: _images, ...blog } }): BatchInput => ({
        ...blog,
        projectId,
        translationKey: null
      })
    )
    const created = await blogs.createMany(writer, projectId, inputs)
    return created.map((made, at) =>
      made instanceof ApiError
        ? toErrorResult(items[at]!, made)
        : { index: items[at]!.index, slug: made.slug, errors: [], result: 'created', warnings: made.body.warnings }
    )
  }

  return {
    /**
     * Imports blogs: new ones together, existing ones several at a time, and the others one after the
     * other: with images, with translations, and those with a slug that an earlier one has.
     */
    async importBlogs(writer: BlogWriter, projectId: string, items: ImportItem[]): Promise<BlogImportResult[]> {
      const { accountId } = writer
      const slugs = items.map(({ blog }) => blog.slug)
      const existing = new Set((await store.blogs.findBySlugs({ accountId, projectId }, slugs)).map(({ slug }) => slug))
      const isFirst = (_: ImportItem, at: number) => slugs.indexOf(slugs[at]!) === at
      const first = items.filter(isFirst)
      const known = first.filter(({ blog }) => existing.has(blog.slug))
      const simple = first.filter(
        ({ blog }) => !existing.has(blog.slug) && blog.images === undefined && (blog.translationKey ?? null) === null
      )
      const others = new Set(items).difference(new Set([...known, ...simple]))
      const results = [
        ...(await createAll(writer, projectId, simple)),
        ...(await mapConcurrently(known, UPDATED_AT_ONCE, (item) => importBlog(writer, projectId, item)))
      ]
      for (const item of others) results.push(await importBlog(writer, projectId, item))
      return results.sort((a, b) => a.index - b.index)
    },

    importBlog,
    toFailedResult
  }
}

function toErrorResult({ index, blog }: ImportItem, error: ApiError): BlogImportResult {
  const { code, message, options } = error
  return toFailedResult(index, blog.slug, options.errors ?? [{ pointer: '', code, message }])
}

function toFailedResult(index: number, slug: string | null, errors: FieldError[]): BlogImportResult {
  return { index, slug, result: 'failed', errors, warnings: [] }
}
