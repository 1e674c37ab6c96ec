import type { Collection } from 'mongodb'
import { hreflangOf } from '../../../../lib/hreflang.ts'
import { foldLabel, toTitleKey } from '../../../../lib/labels.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import type {
  BlogBody,
  BlogUpdate,
  BlogMetadata,
  BlogRecord,
  BlogTombstone,
  Departure,
  FormerSlug,
  PreparedBlog,
  ProjectScope,
  RelatedEntry
} from '../../port.ts'
import type { Database } from '../database.ts'
import { compoundId, visibleTo } from '../documents.ts'
import type { PendingEvents } from '../events/pending.ts'
import type { BlogTotalsFields } from './totals/documents.ts'

/** The forms of values in which they are compared and ordered. */
interface BlogKeys {
  category: string | null
  tags: string[]
  authors: string[]
  locale: string
  language: string
  title: string
}

/** A departure as it is found. `from`: the account and the project. */
export type DepartureFields = Omit<Departure, 'projectId'> & { from: string }

/** The fields of a blog that is not deleted: content, and values that only queries use. */
export interface BlogFields {
  projectId: string
  slugKey: string
  metadata: BlogMetadata
  keys: BlogKeys
  /** Unique: account, project, translation key and language. Null without a translation key. */
  translationSlot: string | null
  body: Omit<BlogBody, 'textTerms'>
  /** The terms of the text, then those that only occur in the title. */
  terms: string[]
  /** How many of `terms` are terms of the text. */
  textTermCount: number
  releasedSlugs: FormerSlug[]
  removedAt: string | null
  departures?: DepartureFields[]
}

/**
 * A blog, or the tombstone of a deleted blog. Both are one document, so that every change of a blog
 * is one atomic update.
 */
export interface BlogDocument extends Partial<BlogFields>, PendingEvents, BlogTotalsFields {
  _id: string
  accountId: string
  projectId: string
  deleted: boolean
  /**
   * Unique: account, slug and project, see `slugKey`. For a deleted blog its id, which is never a slug key,
   * so that a plain unique index is enough.
   */
  slugKey: string
  related?: RelatedEntry[]
  /** The prepared response, and the state of the blog that it was made from. */
  response?: Omit<PreparedBlog, 'accountId' | 'id'>
  tombstone?: BlogTombstone
  /** Slugs that the blog had while it was public, and when each was given up. */
  releasedSlugs: FormerSlug[]
  /** When the blog stopped being public. Null while it is public, or when it never was. */
  removedAt: string | null
  /** Related entries must be recomputed since the write that made version `relatedVersion`. */
  relatedPending?: true
  relatedVersion?: number
  /** The blog was deleted, and image records and revisions may be left. */
  imagesToDelete?: true
}

export const blogCollection = (database: Database): Collection<BlogDocument> =>
  database.collection<BlogDocument>('blogs')

/** Only one blog of all accounts can have this key. */
export const slugKey = ({ accountId, projectId, slug }: Pick<BlogMetadata, 'accountId' | 'projectId' | 'slug'>) =>
  compoundId(accountId, slug, projectId)

/** Matches the keys of all blogs of the account with this slug: they start with the same text. */
function slugKeysOf(accountId: string, slug: string): { $gte: string; $lt: string } {
  const start = compoundId(accountId, slug).slice(0, -1)
  return { $gte: `${start},`, $lt: `${start}-` }
}

/**
 * Matches the blogs with this slug that the reader may see. Of one project, the usual case, a blog is found by its
 * key. The key comes first: a server may prefer indexes of the first field, of which the account has many.
 */
export function withSlug(scope: ProjectScope, slug: string) {
  const visible = visibleTo(scope)
  const { accountId, projectId } = visible
  const keys = typeof projectId === 'string' ? slugKey({ accountId, projectId, slug }) : slugKeysOf(accountId, slug)
  return { slugKey: keys, ...visible }
}

/** Projections for `toBlogMetadata` and `toBlogRecord`. Lists do not read bodies. */
export const METADATA_FIELDS = { _id: 0, metadata: 1 } as const
export const RECORD_FIELDS = { _id: 0, metadata: 1, body: 1, terms: 1, textTermCount: 1 } as const

export const toBlogMetadata = ({ metadata }: Pick<BlogDocument, 'metadata'>): BlogMetadata => metadata as BlogMetadata

export function toBlogRecord(
  document: Pick<BlogDocument, 'metadata' | 'body' | 'terms' | 'textTermCount'>
): BlogRecord {
  const { metadata, body, terms, textTermCount } = document as BlogFields
  return { ...metadata, body: { ...body, textTerms: terms.slice(0, textTermCount) } }
}

export function toBlogFields({ body, ...metadata }: BlogRecord): BlogFields {
  return { ...toMetadataFields(metadata), ...toBodyFields(body) }
}

function toBodyFields({ textTerms, ...body }: BlogBody): Pick<BlogFields, 'body' | 'terms' | 'textTermCount'> {
  const inText = new Set(textTerms)
  return {
    body,
    terms: [...textTerms, ...body.titleTerms.filter((term) => !inText.has(term))],
    textTermCount: textTerms.length
  }
}

/** The fields of a change. Without a body, they do not contain those that are derived from it. */
export const toChangedFields = ({ body, ...metadata }: BlogUpdate): Partial<BlogFields> => ({
  ...toMetadataFields(metadata),
  ...(body === undefined ? {} : toBodyFields(body))
})

function toMetadataFields(metadata: BlogMetadata): Omit<BlogFields, 'body' | 'terms' | 'textTermCount'> {
  return {
    projectId: metadata.projectId,
    slugKey: slugKey(metadata),
    metadata,
    keys: {
      category: metadata.category === null ? null : foldLabel(metadata.category),
      tags: metadata.tags.map(foldLabel),
      authors: metadata.authors.map(({ name }) => foldLabel(name)),
      locale: metadata.locale.toLowerCase(),
      language: languageOf(metadata.locale),
      title: toTitleKey(metadata.title)
    },
    translationSlot: translationSlot(metadata),
    releasedSlugs: metadata.formerSlugs,
    removedAt: metadata.status === 'published' ? null : metadata.withdrawnAt,
    ...toDepartures(metadata)
  }
}

/** Missing for a blog that never left a project, so that it is not in their index. */
const toDepartures = ({ accountId, departures }: BlogMetadata | BlogTombstone) =>
  departures === undefined
    ? {}
    : { departures: departures.map(({ projectId, ...rest }) => ({ from: compoundId(accountId, projectId), ...rest })) }

/** Only one blog of all accounts can have this key. Null for a blog without a translation key. */
export function translationSlot({ accountId, projectId, translationKey, locale }: BlogMetadata): string | null {
  return translationKey === null ? null : compoundId(accountId, projectId, translationKey, hreflangOf(locale))
}

/** The fields of a deleted blog. */
export function toTombstoneFields(
  tombstone: BlogTombstone
): Pick<
  BlogDocument,
  'deleted' | 'projectId' | 'slugKey' | 'tombstone' | 'releasedSlugs' | 'removedAt' | 'departures' | 'imagesToDelete'
> {
  const { id, slug, projectId, formerSlugs, deletedAt, wasPublic } = tombstone
  // A slug among the former slugs was given up when the blog left it, not at the deletion.
  const current = formerSlugs.some((former) => former.slug === slug) ? [] : [{ slug, leftAt: deletedAt }]
  return {
    deleted: true,
    projectId,
    slugKey: id,
    tombstone,
    releasedSlugs: wasPublic ? [...current, ...formerSlugs] : [],
    removedAt: wasPublic ? deletedAt : null,
    ...toDepartures(tombstone),
    imagesToDelete: true
  }
}

/** Orders blogs by their publication, the newest first, then by id. */
export function newestFirst(a: BlogDocument, b: BlogDocument): number {
  const [first, second] = [a.metadata?.publishedAt ?? '', b.metadata?.publishedAt ?? '']
  if (first !== second) return first > second ? -1 : 1
  return a._id > b._id ? -1 : 1
}
