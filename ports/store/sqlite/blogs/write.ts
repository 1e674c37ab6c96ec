import type { SQLInputValue } from 'node:sqlite'
import { problem, type ApiError } from '../../../../errors.ts'
import { createYielder } from '../../../../lib/async.ts'
import { hreflangOf } from '../../../../lib/hreflang.ts'
import { foldLabel, toTitleKey } from '../../../../lib/labels.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import type {
  BlogUpdate,
  BlogMetadata,
  BlogRecord,
  BlogStore,
  BlogTombstone,
  FormerSlug,
  NewEvent
} from '../../port.ts'
import type { Database } from '../database.ts'
import { isDuplicate } from '../driver-errors.ts'
import { addEvents } from '../events.ts'
import { encodeTerms, placeInPartition, removeFromPartition, type PartitionPlace } from '../search.ts'
import { placeholders } from '../sql.ts'
import { deleteRevisions, noteRevisionDeletion } from './revisions.ts'
import { createSegmentMerges } from '../search-segments.ts'

const COLUMNS = [
  'id',
  'account_id',
  'project_id',
  'slug',
  'status',
  'version',
  'category',
  'category_key',
  'locale',
  'language',
  'title_key',
  'translation_key',
  'hreflang',
  'published_at',
  'publish_at',
  'updated_at',
  'withdrawn_at',
  'rules_version',
  'metadata'
]
/** The row number, and the place in the search index: null for a new blog. */
const PLACE = 'n, search_partition AS partitionN, search_terms AS terms'
const INSERT = `INSERT INTO blogs (${COLUMNS.join(', ')}) VALUES (${placeholders(COLUMNS.length)}) RETURNING ${PLACE}`
const UPDATE = `
  UPDATE blogs SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')}
  WHERE id = ? AND account_id = ? AND version = ? RETURNING ${PLACE}`

/** The values of COLUMNS. */
function toColumns(metadata: BlogMetadata): SQLInputValue[] {
  return [
    metadata.id,
    metadata.accountId,
    metadata.projectId,
    metadata.slug,
    metadata.status,
    metadata.version,
    metadata.category,
    metadata.category === null ? null : foldLabel(metadata.category),
    metadata.locale.toLowerCase(),
    languageOf(metadata.locale),
    toTitleKey(metadata.title),
    metadata.translationKey,
    hreflangOf(metadata.locale),
    metadata.publishedAt,
    metadata.publishAt,
    metadata.updatedAt,
    metadata.withdrawnAt,
    metadata.rulesVersion,
    JSON.stringify(metadata)
  ]
}

/** A row with its place in the search index. */
type PlacedRow = { n: number } & (PartitionPlace | { partitionN: null; terms: null })

function writeToSearch(
  db: Database,
  row: PlacedRow,
  { owner, titleTerms, textTerms }: { owner: string; titleTerms: string[]; textTerms: string[] }
): void {
  const before = row.partitionN === null ? null : row
  const { partitionN, terms } = placeInPartition(db, 'blog', {
    owner,
    terms: titleTerms.length + textTerms.length,
    before
  })
  if (partitionN !== row.partitionN || terms !== row.terms) {
    db.run('UPDATE blogs SET search_partition = ?, search_terms = ? WHERE n = ?', partitionN, terms, row.n)
  }
  db.run(
    'INSERT OR REPLACE INTO blog_search (rowid, title, text) VALUES (?, ?, ?)',
    row.n,
    encodeTerms(partitionN, titleTerms),
    encodeTerms(partitionN, textTerms)
  )
}

/** A statement that writes a row of `blogs`. `where` are the values after those of COLUMNS. */
interface WriteStatement {
  sql: string
  where: SQLInputValue[]
}

function writeFormerSlugs(
  db: Database,
  blog: BlogMetadata | BlogTombstone,
  { slugs, deleted }: { slugs: FormerSlug[]; deleted: 0 | 1 }
): void {
  db.run('DELETE FROM former_slugs WHERE blog_id = ?', blog.id)
  for (const { slug, leftAt } of slugs) {
    db.run(
      `INSERT OR IGNORE INTO former_slugs (account_id, slug, left_at, deleted, blog_id, project_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
      blog.accountId,
      slug,
      leftAt,
      deleted,
      blog.id,
      blog.projectId
    )
  }
}

function writeDepartures(db: Database, { id, accountId, projectId, departures }: BlogMetadata | BlogTombstone): void {
  db.run('DELETE FROM blog_departures WHERE blog_id = ?', id)
  for (const { projectId: left, slug, at } of departures ?? []) {
    db.run(
      `INSERT OR IGNORE INTO blog_departures (account_id, left_at, blog_id, project_id, current_project_id, slug)
       VALUES (?, ?, ?, ?, ?, ?)`,
      ...[accountId, at, id, left, projectId, slug]
    )
  }
}

interface LabelRow {
  kind: string
  key: string
  label: string
}

/** Of two spellings of a label, the first one is stored. */
function labelRows({ tags, authors }: BlogMetadata): Map<string, LabelRow> {
  const rows = new Map<string, LabelRow>()
  const add = (kind: 'tag' | 'author', label: string): void => {
    const key = foldLabel(label)
    if (!rows.has(`${kind} ${key}`)) rows.set(`${kind} ${key}`, { kind, key, label })
  }
  for (const tag of tags) add('tag', tag)
  for (const { name } of authors) add('author', name)
  return rows
}

/** Each row has counts, which are written, too: rows that are stored already are not replaced. */
function writeLabels(db: Database, n: number, metadata: BlogMetadata): void {
  const rows = labelRows(metadata)
  const stored = db.all<LabelRow>('SELECT kind, label_key AS key, label FROM blog_labels WHERE n = ?', n)
  const isStored = ({ kind, key, label }: LabelRow) => rows.get(`${kind} ${key}`)?.label === label
  if (stored.length === rows.size && stored.every(isStored)) return
  if (stored.length > 0) db.run('DELETE FROM blog_labels WHERE n = ?', n)
  for (const { kind, key, label } of rows.values()) {
    db.run(
      'INSERT INTO blog_labels (account_id, kind, label_key, n, label) VALUES (?, ?, ?, ?, ?)',
      ...[metadata.accountId, kind, key, n, label]
    )
  }
}

/** The columns of a body, which may have megabytes. */
interface BodyTexts {
  body: string
  vector: string
}

function toBodyTexts({ vector, ...rest }: BlogRecord['body']): BodyTexts {
  return { body: JSON.stringify(rest), vector: JSON.stringify(vector) }
}

/**
 * Writes a blog with the data that is derived from it: that of its body only if it has one. Returns false when
 * the statement changed no row. Call inside a transaction.
 */
export function writeBlog(
  db: Database,
  { body, ...metadata }: BlogUpdate,
  { sql, where, texts }: WriteStatement & { texts?: BodyTexts | undefined } = { sql: INSERT, where: [] }
): boolean {
  const row = db.one<PlacedRow>(sql, ...toColumns(metadata), ...where)
  if (row === undefined) return false
  const { n } = row
  if (body !== undefined) {
    const { body: text, vector } = texts ?? toBodyTexts(body)
    db.run('INSERT OR REPLACE INTO blog_bodies (n, body) VALUES (?, ?)', n, text)
    db.run('INSERT OR REPLACE INTO blog_vectors (n, vector) VALUES (?, ?)', n, vector)
    writeToSearch(db, row, { owner: metadata.accountId, titleTerms: body.titleTerms, textTerms: body.textTerms })
  }
  writeLabels(db, n, metadata)
  writeFormerSlugs(db, metadata, { slugs: metadata.formerSlugs, deleted: 0 })
  writeDepartures(db, metadata)
  return true
}

/** Inserts a tombstone with its former slugs and departures. Call inside a transaction. */
export function writeTombstone(db: Database, tombstone: BlogTombstone): void {
  const { id, accountId, projectId, slug, formerSlugs, deletedAt, wasPublic } = tombstone
  // A slug that is among the former ones was given up at its `leftAt`, not by the deletion.
  const current = formerSlugs.some((former) => former.slug === slug) ? [] : [{ slug, leftAt: deletedAt }]
  writeFormerSlugs(db, tombstone, { slugs: wasPublic ? [...current, ...formerSlugs] : [], deleted: 1 })
  writeDepartures(db, tombstone)
  db.run(
    `INSERT INTO tombstones (id, account_id, project_id, was_public, deleted_at, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
    id,
    accountId,
    projectId,
    Number(wasPublic),
    deletedAt,
    JSON.stringify(tombstone)
  )
}

/**
 * Blogs that `addMany` writes in one transaction. Larger transactions take less time for each blog, because pages
 * of indexes are written to the log once, and the search index gets fewer segments, which it would merge later.
 */
const ADDED_AT_ONCE = 16
/** Limits of the same for larger blogs, so that other requests do not wait for longer. */
const TERMS_AT_ONCE = 10_000
const LENGTH_AT_ONCE = 500_000

interface NewBlog {
  blog: BlogRecord
  events: NewEvent[]
}

const termsOf = ({ titleTerms, textTerms }: BlogRecord['body']): number => titleTerms.length + textTerms.length
const lengthOf = ({ body }: BlogRecord): number => body.source.text.length + body.html.length

/** Divides new blogs into those of one transaction each, in their order. */
function* groupsOf(additions: NewBlog[]): Generator<NewBlog[]> {
  let group: NewBlog[] = []
  let [terms, length] = [0, 0]
  for (const addition of additions) {
    terms += termsOf(addition.blog.body)
    length += lengthOf(addition.blog)
    if (group.length === ADDED_AT_ONCE || (group.length > 0 && (terms > TERMS_AT_ONCE || length > LENGTH_AT_ONCE))) {
      yield group
      group = []
      terms = termsOf(addition.blog.body)
      length = lengthOf(addition.blog)
    }
    group.push(addition)
  }
  if (group.length > 0) yield group
}

export function createBlogWrites(db: Database): Pick<BlogStore, 'add' | 'addMany' | 'save' | 'delete'> {
  /** Adds the events of a write. With events, related blogs must be recomputed. */
  function publish(
    { accountId, id, version }: { accountId: string; id: string; version: number },
    events: NewEvent[]
  ): void {
    if (events.length === 0) return
    db.run(
      'INSERT OR REPLACE INTO pending_related (account_id, blog_id, version) VALUES (?, ?, ?)',
      accountId,
      id,
      version
    )
    addEvents(db, events)
  }

  const pause = createYielder()
  const mergeSegments = createSegmentMerges(db, 'blog_search')

  /** Serializes a blog, which may take as long as writing it, before the transaction. */
  async function write(blog: BlogUpdate, statement: WriteStatement, events: NewEvent[]): Promise<boolean> {
    await pause()
    const texts = blog.body === undefined ? undefined : toBodyTexts(blog.body)
    await pause()
    let isWritten: boolean
    try {
      isWritten = db.transaction(() => {
        if (!writeBlog(db, blog, { ...statement, texts })) return false
        publish(blog, events)
        return true
      })
    } catch (error) {
      throw toConflict(blog, error) ?? error
    }
    if (isWritten && blog.body !== undefined) await mergeSegments(termsOf(blog.body))
    return isWritten
  }

  /** Call inside a transaction. A rejected blog leaves nothing behind: its first statement fails. */
  function tryAdd(blog: BlogRecord, events: NewEvent[]): ApiError | null {
    try {
      writeBlog(db, blog)
      publish(blog, events)
      return null
    } catch (error) {
      const conflict = toConflict(blog, error)
      if (conflict === null) throw error
      return conflict
    }
  }

  return {
    add: async (blog, events = []) => {
      await write(blog, { sql: INSERT, where: [] }, events)
    },
    // Only the last step waits for the disk, which makes the others durable, too.
    addMany: async (additions) => {
      const outcomes: (ApiError | null)[] = []
      let left = additions.length
      for (const group of groupsOf(additions)) {
        left -= group.length
        const made = db[left === 0 ? 'transaction' : 'relaxedTransaction'](() =>
          group.map(({ blog, events }) => tryAdd(blog, events))
        )
        outcomes.push(...made)
        await mergeSegments(group.reduce((terms, { blog }) => terms + termsOf(blog.body), 0))
        await pause()
      }
      return outcomes
    },
    save: async (blog, ifVersion, events = []) =>
      await write(blog, { sql: UPDATE, where: [blog.id, blog.accountId, ifVersion] }, events),
    delete: async (tombstone, ifVersion, events = []) => {
      const { id, accountId } = tombstone
      const deleted = db.transaction(() => {
        const row = db.one<{ n: number } & PartitionPlace>(
          `DELETE FROM blogs WHERE id = ? AND account_id = ? AND version = ? RETURNING ${PLACE}`,
          id,
          accountId,
          ifVersion
        )
        if (row === undefined) return null
        db.run('DELETE FROM blog_search WHERE rowid = ?', row.n)
        removeFromPartition(db, 'blog', row)
        db.run('DELETE FROM images WHERE blog_id = ?', id)
        noteRevisionDeletion(db, tombstone)
        writeTombstone(db, tombstone)
        publish({ accountId, id, version: ifVersion + 1 }, events)
        return row
      })
      if (deleted === null) return false
      await mergeSegments(deleted.terms)
      await deleteRevisions(db, tombstone)
      return true
    }
  }
}

/** The error of a blog with the slug, or the translation key and language, of another one. Null for other errors. */
function toConflict(blog: BlogMetadata, error: unknown): ApiError | null {
  if (isDuplicate(error, 'blogs.account_id, blogs.slug, blogs.project_id')) {
    return problem('slug_taken', `Another blog of the project "${blog.projectId}" has the slug "${blog.slug}".`, {
      cause: error
    })
  }
  if (isDuplicate(error, 'blogs.account_id, blogs.translation_key, blogs.project_id, blogs.hreflang')) {
    return translationExists(blog, error)
  }
  return null
}

/** The error of a blog whose translation key and language another blog of the project has. */
function translationExists({ projectId, translationKey, locale }: BlogMetadata, cause: unknown): ApiError {
  return problem(
    'translation_exists',
    `Another blog of the project "${projectId}" has the translation key "${translationKey}" and locale "${locale}".`,
    { cause }
  )
}
