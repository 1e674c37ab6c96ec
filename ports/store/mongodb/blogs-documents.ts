import type { Collection } from 'mongodb'
import type { BlogBody, BlogMetadata, BlogRecord, BlogTombstone, FormerSlug, RelatedEntry } from '../port.ts'
import type { Database } from './database.ts'
import type { PendingEvents } from './events-pending.ts'
import { compoundId } from './records-changed.ts'

/** What a blog that lives is searched and narrowed by beside its head, and its content. */
export interface BlogFields {
  projectId: string
  slugKey: string
  head: BlogMetadata
  body: Omit<BlogBody, 'textTerms'>
  /**
   * The words of the text, then those that only the title has; the first `textWords` of them are
   * the text's.
   */
  words: string[]
  textWords: number
  exits: FormerSlug[]
  removedAt: string | null
}

/**
 * A blog, and after its deletion what stays of it: one document, so that one change does the whole
 * of it.
 */
export interface BlogDocument extends Partial<BlogFields>, PendingEvents {
  _id: string
  accountId: string
  projectId: string
  deleted: boolean
  /**
   * Unique. The account's slug as `slugKey` makes it; of a blog that was deleted its own id, which
   * is nobody's slug: so the index may be the plainest of all.
   */
  slugKey: string
  related?: RelatedEntry[]
  tombstone?: BlogTombstone
  /** Slugs that it had while it was public, and when it gave each up. */
  exits: FormerSlug[]
  /** When it stopped being public; null while it is, or where it never was. */
  removedAt: string | null
  /** Related entries are to be worked out again since the write that made this version. */
  pendingRelatedAccounts?: true
  relatedVersion?: number
  /** It was deleted, and records of its images may be left. */
  imagesLeft?: true
}

export const blogsOf = (database: Database): Collection<BlogDocument> => database.collection<BlogDocument>('blogs')

/** What nobody else has while this account's blog has the slug. */
export const slugKey = (accountId: string, slug: string): string => compoundId(accountId, slug)

/** What must be read for `headOf` and `blogOf`. A list reads no bodies. */
export const HEAD = { _id: 0, head: 1 } as const
export const WHOLE = { _id: 0, head: 1, body: 1, words: 1, textWords: 1 } as const

export const headOf = ({ head }: Pick<BlogDocument, 'head'>): BlogMetadata => head as BlogMetadata

export function blogOf(document: Pick<BlogDocument, 'head' | 'body' | 'words' | 'textWords'>): BlogRecord {
  const { head, body, words, textWords } = document as BlogFields
  return { ...head, body: { ...body, textTerms: words.slice(0, textWords) } }
}

/** What is stored of a blog. */
export function fieldsOf({ body: { textTerms, ...body }, ...head }: BlogRecord): BlogFields {
  const inText = new Set(textTerms)
  return {
    projectId: head.projectId,
    slugKey: slugKey(head.accountId, head.slug),
    head,
    body,
    words: [...textTerms, ...body.titleTerms.filter((term) => !inText.has(term))],
    textWords: textTerms.length,
    exits: head.formerSlugs,
    removedAt: head.status === 'published' ? null : head.withdrawnAt
  }
}

/** What is stored of a blog that was deleted. */
export function buriedFields(
  tombstone: BlogTombstone
): Pick<BlogDocument, 'deleted' | 'projectId' | 'slugKey' | 'tombstone' | 'exits' | 'removedAt' | 'imagesLeft'> {
  const { id, slug, projectId, formerSlugs, deletedAt, wasPublic } = tombstone
  // A slug that is among the former ones was given up when it was left, not now.
  const held = formerSlugs.some((former) => former.slug === slug) ? [] : [{ slug, leftAt: deletedAt }]
  return {
    deleted: true,
    projectId,
    slugKey: id,
    tombstone,
    exits: wasPublic ? [...held, ...formerSlugs] : [],
    removedAt: wasPublic ? deletedAt : null,
    imagesLeft: true
  }
}
