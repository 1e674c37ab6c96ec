import { createYielder } from '../../../lib/async.ts'
import { packTerms, unpackTerms } from '../../../lib/packed-terms.ts'
import {
  NOT_COMPUTED,
  type IndexedBlog,
  type IndexEntry,
  type RelatedGroup,
  type RelatedGroupState,
  type RelatedIndexState,
  type RelatedIndexStore
} from '../port.ts'
import type { Database } from './database.ts'
import { createRelatedNeighbors, NEIGHBOR_COLUMNS, toNeighbors, type NeighborsRow } from './related-neighbors.ts'
import { createRelatedTerms } from './related-terms.ts'
import { createSegmentMerges } from './search-segments.ts'

interface GroupRow {
  n: number
  projectId: string
  language: string
  blogs: number
  changes: number
  computed: number
}

interface EntryRow extends NeighborsRow {
  accountId: string
  projectId: string
  language: string
  terms: Uint8Array
}

/** An entry as `put` replaces it. */
interface StoredTerms {
  n: number
  groupN: number
  counted: 0 | 1
  terms: Uint8Array
}

const ENTRY_COLUMNS = `
  ${NEIGHBOR_COLUMNS}, g.account_id AS accountId, g.project_id AS projectId, g.language, e.terms`
/** A CROSS JOIN reads the entries first: SQLite would read all entries of the account otherwise. */
const WITH_GROUPS = 'related_entries e CROSS JOIN related_groups g ON g.n = e.group_n'
const IN_LIST = 'IN (SELECT value FROM json_each(?))'
const NO_NEIGHBORS = '[[],[]]'
/** Blogs that are written at once: each has up to 200 terms. */
const PUT_AT_ONCE = 4
/** Entries that are deleted at once. */
const CLEARED_AT_ONCE = 50

function toEntry({ accountId, projectId, language, terms, ...row }: EntryRow): IndexEntry {
  return { ...toNeighbors(row), ...unpackTerms(terms), group: { accountId, projectId, language } }
}

/**
 * The index of related blogs. Neighbors do not wait for the disk: `finish` and the lists do, which are written
 * later and make them durable, too.
 */
export function createRelatedIndex(db: Database): RelatedIndexStore {
  const terms = createRelatedTerms(db)
  const neighbors = createRelatedNeighbors(db)
  const mergeSegments = createSegmentMerges(db, 'related_search')

  const findGroup = ({ accountId, projectId, language }: RelatedGroup): number | null =>
    db.one<{ n: number }>(
      'SELECT n FROM related_groups WHERE account_id = ? AND project_id = ? AND language = ?',
      accountId,
      projectId,
      language
    )?.n ?? null

  /** Adds a change and `added` blogs to the group, and returns its number. */
  function changeGroup({ accountId, projectId, language }: RelatedGroup, added: number): number {
    return db.one<{ n: number }>(
      `INSERT INTO related_groups (account_id, project_id, language, blogs, changes, computed)
       VALUES (?, ?, ?, ?, 1, 0)
       ON CONFLICT (account_id, project_id, language)
       DO UPDATE SET blogs = blogs + excluded.blogs, changes = changes + 1 RETURNING n`,
      accountId,
      projectId,
      language,
      added
    )!.n
  }

  const findTerms = (accountId: string, id: string): StoredTerms | undefined =>
    db.one<StoredTerms>(
      `SELECT e.n, e.group_n AS groupN, e.counted, e.terms FROM ${WITH_GROUPS} WHERE e.id = ? AND g.account_id = ?`,
      id,
      accountId
    )

  /** Removes an entry from its group, which disappears with its last entry. */
  function removeEntry({ terms: packed, ...owner }: StoredTerms): void {
    const { n, groupN } = owner
    terms.remove(owner, unpackTerms(packed).terms)
    db.run('DELETE FROM related_entries WHERE n = ?', n)
    db.run('UPDATE related_groups SET blogs = blogs - 1, changes = changes + 1 WHERE n = ?', groupN)
    db.run(
      'DELETE FROM related_groups WHERE n = ?1 AND NOT EXISTS (SELECT 1 FROM related_entries WHERE group_n = ?1)',
      groupN
    )
  }

  /** Returns the number of the group. */
  function putEntry(blog: IndexedBlog): number {
    const before = findTerms(blog.group.accountId, blog.id)
    const isSameGroup = before !== undefined && before.groupN === findGroup(blog.group)
    if (before !== undefined && !isSameGroup) removeEntry(before)
    const { id, locale, publishedAt } = blog
    const groupN = changeGroup(blog.group, isSameGroup ? 0 : 1)
    if (!isSameGroup) {
      const { n } = db.one<{ n: number }>(
        `INSERT INTO related_entries
           (id, group_n, computed_at, length, threshold, locale, published_at, terms, neighbors, counted)
         VALUES (?, ?, ${NOT_COMPUTED}, 0, 0, ?, ?, ?, '${NO_NEIGHBORS}', 0) RETURNING n`,
        id,
        groupN,
        locale,
        publishedAt,
        packTerms(blog)
      )!
      terms.add(groupN, n, blog.terms)
      return groupN
    }
    db.run(
      `UPDATE related_entries SET computed_at = ${NOT_COMPUTED}, locale = ?, published_at = ?, terms = ? WHERE n = ?`,
      locale,
      publishedAt,
      packTerms(blog),
      before.n
    )
    terms.replace(before, unpackTerms(before.terms).terms, blog.terms)
    return groupN
  }

  /** Runs `work` in a transaction. When it fails, terms in memory may not be those of the file. */
  function changeTerms<Result>(kind: 'transaction' | 'relaxedTransaction', work: () => Result): Result {
    try {
      return db[kind](work)
    } catch (error) {
      terms.forget()
      throw error
    }
  }

  return {
    state: async (accountId) => {
      const row = db.one<{ state: string }>('SELECT state FROM related_indexes WHERE account_id = ?', accountId)
      return row === undefined
        ? { version: 0, isComplete: false, afterId: null }
        : (JSON.parse(row.state) as RelatedIndexState)
    },
    setState: async (accountId, state) => {
      db.run(
        'INSERT OR REPLACE INTO related_indexes (account_id, state) VALUES (?, ?)',
        accountId,
        JSON.stringify(state)
      )
    },
    clear: async (accountId) => {
      const pause = createYielder()
      const next = () =>
        db.all<StoredTerms>(
          `SELECT e.n, e.group_n AS groupN, e.counted, e.terms
           FROM related_groups g JOIN related_entries e ON e.group_n = g.n
           WHERE g.account_id = ? LIMIT ${CLEARED_AT_ONCE}`,
          accountId
        )
      for (let some = next(); some.length > 0; some = next()) {
        for (const entry of some) {
          changeTerms('relaxedTransaction', () => removeEntry(entry))
          neighbors.forgetAll()
          await pause()
        }
      }
      db.run('DELETE FROM related_indexes WHERE account_id = ?', accountId)
    },
    find: async (accountId, ids) =>
      db
        .all<EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM ${WITH_GROUPS} WHERE e.id ${IN_LIST} AND g.account_id = ?`,
          JSON.stringify(ids),
          accountId
        )
        .map(toEntry),
    findNeighbors: async (accountId, ids) => neighbors.find(accountId, ids),
    put: async (accountId, changes) => {
      const groups = new Set<number>()
      const steps = [
        ...changes.remove.map((id) => () => {
          neighbors.forget(accountId, id)
          const entry = findTerms(accountId, id)
          if (entry !== undefined) removeEntry(entry)
        }),
        ...changes.put.map((blog) => () => {
          neighbors.forget(accountId, blog.id)
          groups.add(putEntry(blog))
        })
      ]
      const pause = createYielder()
      for (let from = 0; from < steps.length; from += PUT_AT_ONCE) {
        const isLast = from + PUT_AT_ONCE >= steps.length
        changeTerms(isLast ? 'transaction' : 'relaxedTransaction', () => {
          for (const step of steps.slice(from, from + PUT_AT_ONCE)) step()
        })
        await pause()
      }
      await mergeSegments(changes.put.reduce((sum, blog) => sum + blog.terms.length, 0))
      for (const groupN of groups) await terms.countMany(groupN)
    },
    pendingGroups: async (accountId, limit) =>
      db
        .all<GroupRow>(
          `SELECT n, project_id AS projectId, language, blogs, changes, computed FROM related_groups
           WHERE account_id = ? AND computed < changes LIMIT ?`,
          accountId,
          limit
        )
        .map(
          ({ projectId, language, blogs, changes, computed }): RelatedGroupState => ({
            group: { accountId, projectId, language },
            blogs,
            changes,
            computed
          })
        ),
    finish: async ({ accountId, projectId, language }, changes) => {
      db.run(
        `UPDATE related_groups SET computed = ? WHERE account_id = ? AND project_id = ? AND language = ?`,
        changes,
        accountId,
        projectId,
        language
      )
    },
    countTerms: async (group, counted) => {
      const groupN = findGroup(group)
      return groupN === null ? counted.map(() => 0) : terms.count(groupN, counted)
    },
    candidates: async (group, query) => {
      const groupN = findGroup(group)
      if (groupN === null) return []
      return db
        .all<Pick<EntryRow, 'id' | 'length' | 'threshold' | 'terms'>>(
          `SELECT id, length, threshold, terms FROM related_entries WHERE n ${IN_LIST}`,
          JSON.stringify(terms.find(groupN, query.terms, query.limit))
        )
        .map(({ terms: packed, ...row }) => ({ ...row, ...unpackTerms(packed) }))
    },
    outdated: async (group, { before, limit }) =>
      db
        .all<EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM ${WITH_GROUPS} WHERE e.group_n = ? AND e.computed_at < ?
           ORDER BY e.computed_at, e.id LIMIT ?`,
          findGroup(group),
          before,
          limit
        )
        .map(toEntry),
    saveNeighbors: async (accountId, entries) => neighbors.save(accountId, entries)
  }
}
