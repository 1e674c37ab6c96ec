import { Type, type Static } from '@sinclair/typebox'
import { BLOG_STATUSES, BlogDraft } from './blog.ts'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'

/** The fields of a blog that its revisions contain, by their names in responses. */
export const REVISION_FIELDS = [
  'title',
  'format',
  'text',
  'css',
  'metaTitle',
  'metaDescription',
  'excerpt',
  'cover',
  'ogImageUrl',
  'canonicalUrl',
  'category',
  'tags',
  'authors',
  'translationKey',
  'locale'
] as const
export type RevisionField = (typeof REVISION_FIELDS)[number]

const number = Type.Integer({ minimum: 1 })

const author = Type.Object({
  type: OneOf(['key', 'user']),
  id: Type.String({ description: 'The id of the API key, or the user of the session token' }),
  name: Nullable(Type.String(), { description: 'The name that the key had. Null for a user' })
})
/** The API key or the user that saved a revision. */
export type RevisionAuthor = Static<typeof author>

const head = {
  revision: Type.Integer({ minimum: 1, description: 'The number of the revision, from 1' }),
  isCurrent: Type.Boolean({ description: 'Whether the blog has this source now' }),
  version: Type.Integer({ minimum: 1, description: 'The version of the blog in which the revision was saved' }),
  title: Type.String(),
  status: OneOf(BLOG_STATUSES, { description: 'The state of the blog now, or when the revision was replaced' }),
  savedAt: Timestamp(),
  savedBy: Nullable(author, {
    description: 'Null if the service made the change, or if the author was not recorded'
  }),
  changedFields: Type.Array(OneOf(REVISION_FIELDS), {
    description: 'The fields that differ from the revision before. Empty for the first one'
  }),
  restoredFrom: Nullable(number, { description: 'The number of the revision that was restored' })
}

export const BlogRevision = Type.Object(head, { $id: 'BlogRevision' })
export type BlogRevision = Static<typeof BlogRevision>

const { locale, category, tags, authors, translationKey, source } = BlogDraft.properties

export const BlogRevisionDetail = Type.Object(
  { ...head, locale, category, tags, authors, translationKey, source },
  { $id: 'BlogRevisionDetail', description: 'A revision of a blog, with its source' }
)
export type BlogRevisionDetail = Static<typeof BlogRevisionDetail>

export const BlogRevisionList = Type.Object(
  { revisions: Type.Array(Ref(BlogRevision)), ...PageTotals },
  { $id: 'BlogRevisionList' }
)
export type BlogRevisionList = Static<typeof BlogRevisionList>

/** A parameter of paths. */
export const RevisionNumber = () => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'The number' })
