import type { BlogRecord, BlogSource } from '../../ports/store/port.ts'
import type { BlogInput } from '../../schemas/blog.ts'
import type { RevisionAuthor } from '../../schemas/blog-revision.ts'
import type { AuthoredFields, ComposedFields } from './compose.ts'
import { assertSlugAllowed, fieldsFromInput, parsePastTime } from './input.ts'
import { firstRevision } from './revisions.ts'
import { slugify } from './slug.ts'

/** The valid input of a new blog. */
export interface PreparedBlog {
  input: BlogInput
  fields: AuthoredFields
  publishedAt: string | null
}

/** Checks the input of a new blog. Throws `reserved_slug` and `invalid_request`. */
export function prepareBlog(id: string, input: BlogInput): PreparedBlog {
  if (input.slug !== undefined) assertSlugAllowed(input.slug)
  return {
    input,
    fields: fieldsFromInput(id, input),
    publishedAt: parsePastTime(input.publishedAt, '/publishedAt')
  }
}

/** The first version of a blog. Without a slug in the input, it is made from the title and may be taken. */
export function toNewBlog(
  { accountId, savedBy = null }: { accountId: string; savedBy?: RevisionAuthor | null },
  { input, fields, publishedAt }: PreparedBlog,
  composed: ComposedFields
): BlogRecord {
  const isPublished = input.status === 'published'
  const now = new Date().toISOString()
  return {
    ...composed,
    id: fields.id,
    accountId,
    projectId: input.projectId,
    slug: input.slug ?? slugify(fields.title, fields.locale),
    slugWasPublic: isPublished,
    formerSlugs: [],
    status: isPublished ? 'published' : 'draft',
    version: 1,
    createdAt: now,
    updatedAt: now,
    publishedAt: publishedAt ?? (isPublished ? now : null),
    publishAt: null,
    withdrawnAt: null,
    revision: firstRevision(now, savedBy)
  }
}

/** The approximate size of a blog: its source, and the HTML and CSS made from it. */
export const storedBytes = ({ text, css }: Pick<BlogSource, 'text' | 'css'>): number =>
  2 * (Buffer.byteLength(text) + Buffer.byteLength(css ?? ''))
