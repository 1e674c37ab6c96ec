import { ApiError, type FieldError } from '../errors.ts'
import type { BlogRecord, Store } from '../ports/store/port.ts'
import type { BlogImportResult, ImportedBlog } from '../schemas/blog-import.ts'
import type { Blogs } from './blogs/index.ts'
import type { BlogWriter } from './blogs/writing.ts'

export type BlogImport = ReturnType<typeof createBlogImport>

type Outcome = Pick<BlogImportResult, 'result' | 'warnings'>

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
  async function create(writer: BlogWriter, projectId: string, { images, ...input }: ImportedBlog): Promise<Outcome> {
    const isPublished = input.status === 'published'
    const created = await blogs.create(writer, {
      ...input,
      projectId,
      status: images === undefined ? input.status : 'draft'
    })
    const blog = await addImages(writer, created, images).catch(async (error: unknown) => {
      // A failed blog must not exist: the next import starts over.
      await blogs.delete(writer, created.id, null)
      throw error
    })
    if (isPublished && images !== undefined) await blogs.publish(writer, blog.id, blog.publishedAt ?? undefined)
    return { result: 'created', warnings: blog.body.warnings }
  }

  async function update(writer: BlogWriter, id: string, { images, status, ...patch }: ImportedBlog): Promise<Outcome> {
    const before = await blogs.get(writer, id)
    await addImages(writer, before, images)
    const patched = await blogs.patch(writer, id, { patch, ifVersions: null })
    const blog = status === 'published' && patched.status !== 'published' ? await blogs.publish(writer, id) : patched
    return { result: blog.version === before.version ? 'unchanged' : 'updated', warnings: blog.body.warnings }
  }

  return {
    /** Imports one blog. Errors of the blog become its result, so that other blogs are imported. */
    async importBlog(
      accountId: string,
      projectId: string,
      { index, blog }: { index: number; blog: ImportedBlog }
    ): Promise<BlogImportResult> {
      const writer: BlogWriter = { accountId, projectIds: null }
      try {
        const [existing] = await store.blogs.findBySlug({ ...writer, projectId }, blog.slug)
        const outcome =
          existing === undefined ? await create(writer, projectId, blog) : await update(writer, existing.id, blog)
        return { index, slug: blog.slug, errors: [], ...outcome }
      } catch (error) {
        if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
        return toFailedResult(
          index,
          blog.slug,
          error.options.errors ?? [{ pointer: '', code: error.code, message: error.message }]
        )
      }
    },

    toFailedResult
  }
}

function toFailedResult(index: number, slug: string | null, errors: FieldError[]): BlogImportResult {
  return { index, slug, result: 'failed', errors, warnings: [] }
}
