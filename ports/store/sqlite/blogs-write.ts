import type { SQLInputValue } from 'node:sqlite'
import { problem } from '../../../errors.ts'
import type { BlogMetadata, BlogRecord, BlogStore, BlogTombstone, FormerSlug, NewEvent } from '../port.ts'
import { codedWords } from './blog-words.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'
import { addEvents } from './events-add.ts'

const COLUMNS = [
  'id',
  'account_id',
  'project_id',
  'slug',
  'status',
  'version',
  'category',
  'locale',
  'author',
  'published_at',
  'publish_at',
  'updated_at',
  'withdrawn_at',
  'rules_version',
  'head'
]
const INSERT = `INSERT INTO blogs (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) RETURNING n`
const UPDATE = `UPDATE blogs SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND account_id = ? AND version = ? RETURNING n`

function columnsOf(head: BlogMetadata): SQLInputValue[] {
  return [
    head.id,
    head.accountId,
    head.projectId,
    head.slug,
    head.status,
    head.version,
    head.category,
    head.locale,
    head.author?.name ?? null,
    head.publishedAt,
    head.publishAt,
    head.updatedAt,
    head.withdrawnAt,
    head.rulesVersion,
    JSON.stringify(head)
  ]
}

/**
 * Writes the rows of blogs and tombstones, and all that hangs on them. Every method is to be called
 * inside `db.atomically`.
 */
export function createBlogRows(db: Database) {
  const writeExits = (from: BlogMetadata | BlogTombstone, exits: FormerSlug[], buried: 0 | 1) => {
    db.run('DELETE FROM slug_exits WHERE blog_id = ?', from.id)
    for (const { slug, leftAt } of exits) {
      db.run(
        'INSERT OR IGNORE INTO slug_exits (account_id, slug, left_at, buried, blog_id, project_id) VALUES (?, ?, ?, ?, ?, ?)',
        from.accountId,
        slug,
        leftAt,
        buried,
        from.id,
        from.projectId
      )
    }
  }
  const writeParts = (n: number, { body, ...head }: BlogRecord) => {
    const { vector, ...rest } = body
    db.run('INSERT OR REPLACE INTO blog_bodies (n, body) VALUES (?, ?)', n, JSON.stringify(rest))
    db.run('INSERT OR REPLACE INTO blog_vectors (n, vector) VALUES (?, ?)', n, JSON.stringify(vector))
    db.run(
      'INSERT OR REPLACE INTO blog_words (rowid, account, title, text) VALUES (?, ?, ?, ?)',
      n,
      codedWords([head.accountId]),
      codedWords(body.titleTerms),
      codedWords(body.textTerms)
    )
    db.run('DELETE FROM blog_tags WHERE n = ?', n)
    for (const tag of head.tags) {
      db.run('INSERT OR IGNORE INTO blog_tags (account_id, tag, n) VALUES (?, ?, ?)', head.accountId, tag, n)
    }
    writeExits(head, head.formerSlugs, 0)
  }

  return {
    /**
     * Adds the row of a blog by this statement, or changes it, and all that hangs on it; false when
     * there was no such row.
     */
    write: (
      blog: BlogRecord,
      { sql, where }: { sql: string; where: SQLInputValue[] } = { sql: INSERT, where: [] }
    ): boolean => {
      const { body, ...head } = blog
      const row = db.one<{ n: number }>(sql, ...columnsOf(head), ...where)
      if (row !== undefined) writeParts(row.n, blog)
      return row !== undefined
    },
    addTombstone: (tombstone: BlogTombstone) => {
      const { id, accountId, projectId, slug, formerSlugs, deletedAt, wasPublic } = tombstone
      // A slug that is among the former ones was given up when it was left, not now.
      const held = formerSlugs.some((former) => former.slug === slug) ? [] : [{ slug, leftAt: deletedAt }]
      writeExits(tombstone, wasPublic ? [...held, ...formerSlugs] : [], 1)
      db.run(
        'INSERT INTO tombstones (id, account_id, project_id, was_public, deleted_at, record) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        accountId,
        projectId,
        Number(wasPublic),
        deletedAt,
        JSON.stringify(tombstone)
      )
    }
  }
}

/** Writes blogs and all that hangs on them. */
export function createBlogWrites(db: Database): Pick<BlogStore, 'add' | 'save' | 'delete'> {
  const rows = createBlogRows(db)
  /** What is told to others, readers see as well; so related entries are due with it. */
  const tell = ({ accountId, id, version }: { accountId: string; id: string; version: number }, events: NewEvent[]) => {
    if (events.length === 0) return
    db.run(
      'INSERT OR REPLACE INTO related_marks (account_id, blog_id, version) VALUES (?, ?, ?)',
      accountId,
      id,
      version
    )
    addEvents(db, events)
  }
  /** Writes the blog by this statement, and these events; false when there was no such row. */
  const write = (blog: BlogRecord, statement: { sql: string; where: SQLInputValue[] }, events: NewEvent[]) => {
    try {
      return db.atomically(() => {
        if (!rows.write(blog, statement)) return false
        tell(blog, events)
        return true
      })
    } catch (error) {
      if (isDuplicate(error, 'blogs.account_id, blogs.slug')) {
        throw problem('slug_taken', `Another blog of this account has the slug ${blog.slug}.`, { cause: error })
      }
      throw error
    }
  }

  return {
    add: async (blog, events = []) => {
      write(blog, { sql: INSERT, where: [] }, events)
    },
    save: async (blog, ifVersion, events = []) =>
      write(blog, { sql: UPDATE, where: [blog.id, blog.accountId, ifVersion] }, events),
    delete: async (tombstone, ifVersion, events = []) =>
      db.atomically(() => {
        const { id, accountId } = tombstone
        const row = db.one<{ n: number }>(
          'DELETE FROM blogs WHERE id = ? AND account_id = ? AND version = ? RETURNING n',
          id,
          accountId,
          ifVersion
        )
        if (row === undefined) return false
        db.run('DELETE FROM blog_words WHERE rowid = ?', row.n)
        db.run('DELETE FROM images WHERE blog_id = ?', id)
        rows.addTombstone(tombstone)
        tell({ accountId, id, version: ifVersion + 1 }, events)
        return true
      })
  }
}
