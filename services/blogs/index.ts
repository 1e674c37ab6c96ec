import { refuse } from '../../errors.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogRecord, Store } from '../../ports/store/port.ts'
import type { BlogDraft } from '../../schemas/blog.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { Projects } from '../projects.ts'
import { createChanges } from './changes.ts'
import { deliveredDraft } from './delivery.ts'
import { createFeeds } from './feeds.ts'
import { createPictures } from './pictures.ts'
import { createPublication } from './publication.ts'
import { createReading } from './reading.ts'
import { createWriting } from './writing.ts'

export type Blogs = ReturnType<typeof createBlogs>

interface Parts {
  store: Store
  queue: Queue
  limits: Limits
  projects: Projects
  images: ImageLibrary
  publicUrl: () => string
}

/** Blogs from the author's words to the reader's page. */
export function createBlogs({ store, queue, limits, projects, images, publicUrl }: Parts) {
  const changes = createChanges({ store, limits, queue })
  const writing = createWriting({ store, images, changes, publicUrl, projects })
  /** A blog in any state as its authors see it. */
  async function shown(blog: BlogRecord): Promise<BlogDraft> {
    return deliveredDraft(blog, {
      project: await store.projects.find(blog.accountId, blog.projectId),
      publicUrl: publicUrl()
    })
  }

  return {
    ...createReading({ store, publicUrl }),
    ...createPublication({ queue, writing }),
    ...writing,
    ...createPictures({ images, writing }),
    feeds: createFeeds({ store, publicUrl }),

    shown,

    /**
     * The blog behind a preview link. Throws `blog_not_found` for a wrong or expired token as for
     * an unknown blog.
     */
    async preview(id: string, token: string): Promise<{ blog: BlogDraft; token: string }> {
      const head = images.mayPreview(id, token) ? await store.blogs.findPublicHead(id) : null
      const blog = head === null ? null : await store.blogs.find(head.accountId, id)
      if (blog === null) throw refuse('blog_not_found', 'The preview link is not valid, or not valid any more.')
      return { blog: await shown(blog), token }
    }
  }
}
