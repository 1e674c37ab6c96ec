import { LRUCache } from 'lru-cache'
import { createYielder } from '../../../../lib/async.ts'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import type { StepSizes } from '../steps.ts'
import type { BlogCounts } from './counts.ts'
import { FactColumns, type BlogFacts } from './facts.ts'
import { LABELS } from './filters.ts'

/*
 * Lists whose number is not stored are counted in memory, once counting them in the store has taken about as long as
 * reading the account. Triggers record which blogs have changed, in the transaction of the change and in a table in
 * memory: what is rolled back is not recorded, and what a crash loses is read again.
 */

/** Labels of an account that were filters. Each has a bit for each blog. */
const MAX_LABELS = 200
/** Categories and other texts of an account. An account that changes them has fewer when it is read again. */
const MAX_TEXTS = 100_000
/** Changes that are read between two pauses. */
const CHANGES_AT_ONCE = 500

const isRead = (row: 'NEW' | 'OLD'): string =>
  `EXISTS (SELECT 1 FROM fact_accounts WHERE account_id = ${row}.account_id)`
const record = (row: 'NEW' | 'OLD'): string => `WHEN ${isRead(row)} BEGIN
  INSERT INTO changed_facts VALUES (${row}.account_id, ${row}.n) ON CONFLICT DO NOTHING;
END;`

const TABLES = [
  'CREATE TEMP TABLE fact_accounts (account_id TEXT PRIMARY KEY) WITHOUT ROWID',
  'CREATE TEMP TABLE changed_facts (account_id TEXT, n INTEGER, PRIMARY KEY (account_id, n)) WITHOUT ROWID',
  `CREATE TEMP TRIGGER facts_added AFTER INSERT ON main.blogs ${record('NEW')}`,
  `CREATE TEMP TRIGGER facts_deleted AFTER DELETE ON main.blogs ${record('OLD')}`,
  `CREATE TEMP TRIGGER facts_changed
   AFTER UPDATE OF status, project_id, locale, category_key, updated_at, published_at ON main.blogs ${record('NEW')}`,
  `CREATE TEMP TRIGGER facts_label_added AFTER INSERT ON main.blog_labels ${record('NEW')}`,
  `CREATE TEMP TRIGGER facts_label_deleted AFTER DELETE ON main.blog_labels ${record('OLD')}`
]

const FACTS = `b.status, b.project_id AS projectId, b.locale, b.category_key AS category,
  b.updated_at AS updatedAt, b.published_at AS publishedAt`

type Label = (typeof LABELS)[number]
type Row = BlogFacts & { n: number }

interface Account {
  columns: FactColumns
  /** Settles when all blogs, or those with the label, are in the columns. */
  blogs: Promise<void>
  labels: Map<string, Promise<void>>
}

export type FactCache = ReturnType<typeof createFactCache>

export function createFactCache(db: Database, sizes: StepSizes, counts: BlogCounts) {
  for (const sql of TABLES) db.runTemporary(sql)
  const accounts = new LRUCache<string, Account>({
    maxSize: sizes.cached,
    dispose: (_, accountId) => forget(accountId)
  })
  /** How many blogs were compared in the store for lists of an account. */
  const compared = new LRUCache<string, number>({ max: 1000 })

  function forget(accountId: string): void {
    db.runTemporary('DELETE FROM fact_accounts WHERE account_id = ?', accountId)
    db.runTemporary('DELETE FROM changed_facts WHERE account_id = ?', accountId)
  }

  const countBlogs = (accountId: string): number => counts.total({ accountId, projectIds: null, status: 'any' })!

  async function readBlogs(accountId: string, columns: FactColumns): Promise<void> {
    const pause = createYielder()
    let after: { updatedAt: string; id: string } | undefined = { updatedAt: '', id: '' }
    while (after !== undefined) {
      await pause()
      const rows: (Row & { id: string })[] = db.all(
        `SELECT b.n, o.id, ${FACTS}
         FROM blogs o INDEXED BY blogs_of_any_status_by_update
         CROSS JOIN blogs b INDEXED BY blogs_facts ON b.n = o.n
         WHERE o.account_id = ? AND (o.updated_at, o.id) > (?, ?) ORDER BY o.updated_at, o.id LIMIT ?`,
        accountId,
        after.updatedAt,
        after.id,
        sizes.rows
      )
      for (const row of rows) columns.set(row.n, row)
      after = rows.at(-1)
    }
  }

  async function readLabel(
    columns: FactColumns,
    { accountId, kind, key }: { accountId: string; kind: Label; key: string }
  ): Promise<void> {
    columns.recordLabel(kind, key)
    const pause = createYielder()
    for (let after: number | undefined = -1; after !== undefined; ) {
      await pause()
      const rows: { n: number }[] = db.all(
        `SELECT n FROM blog_labels WHERE account_id = ? AND kind = ? AND label_key = ? AND n > ? ORDER BY n LIMIT ?`,
        accountId,
        kind,
        key,
        after,
        sizes.rows
      )
      for (const { n } of rows) columns.addLabel(kind, key, n)
      after = rows.at(-1)?.n
    }
  }

  /** Reads some of the changes. Returns false when none are left. */
  function readChanges(accountId: string, columns: FactColumns): boolean {
    const changed = db.all<{ n: number }>(
      `SELECT n FROM changed_facts WHERE account_id = ? LIMIT ?`,
      accountId,
      Math.min(CHANGES_AT_ONCE, sizes.rows)
    )
    if (changed.length === 0) return false
    for (const { n } of changed) {
      const row = db.one<Row>(
        `SELECT b.n, ${FACTS} FROM blogs b INDEXED BY blogs_facts WHERE b.n = ? AND b.account_id = ?`,
        n,
        accountId
      )
      if (row === undefined) columns.delete(n)
      else {
        columns.set(n, row)
        columns.setLabels(
          n,
          db.all<{ kind: Label; key: string }>('SELECT kind, label_key AS key FROM blog_labels WHERE n = ?', n)
        )
      }
    }
    db.runTemporary(
      'DELETE FROM changed_facts WHERE account_id = ? AND n IN (SELECT value FROM json_each(?))',
      accountId,
      JSON.stringify(changed.map(({ n }) => n))
    )
    return true
  }

  /** The account, which is read if lists of it have been counted for long enough. Null: count in the store. */
  function open(accountId: string): Account | null {
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    const size = countBlogs(accountId)
    if (size > sizes.cached || (compared.get(accountId) ?? 0) < size) return null
    compared.delete(accountId)
    const columns = new FactColumns()
    db.runTemporary('INSERT INTO fact_accounts VALUES (?)', accountId)
    const account = { columns, blogs: readBlogs(accountId, columns), labels: new Map<string, Promise<void>>() }
    accounts.set(accountId, account, { size: Math.max(1, size) })
    return account
  }

  async function readAll(account: Account, filter: BlogFilter): Promise<void> {
    const { accountId } = filter
    await account.blogs
    for (const kind of LABELS) {
      if (filter[kind] === undefined) continue
      const key = foldLabel(filter[kind])
      const name = `${kind} ${key}`
      if (!account.labels.has(name)) account.labels.set(name, readLabel(account.columns, { accountId, kind, key }))
      await account.labels.get(name)
    }
    const pause = createYielder()
    while (readChanges(accountId, account.columns)) await pause()
  }

  /** The blogs of a list, without `terms`. Null: count in the store, and tell `addCompared`. */
  async function find(filter: BlogFilter): Promise<{ columns: FactColumns; slots: Uint32Array } | null> {
    const { accountId } = filter
    const account = open(accountId)
    if (account === null) return null
    try {
      await readAll(account, filter)
    } catch (error) {
      accounts.delete(accountId)
      throw error
    }
    const { columns, labels } = account
    // Too large, or too many labels: the account is read again when that has paid off once more.
    if (accounts.peek(accountId) !== account) return null
    const slots = columns.isComparable ? columns.find(filter) : null
    const isTooLarge = countBlogs(accountId) > sizes.cached || columns.texts > MAX_TEXTS
    if (labels.size > MAX_LABELS || isTooLarge) accounts.delete(accountId)
    return slots === null ? null : { columns, slots }
  }

  return {
    find,
    addCompared: (accountId: string, count: number): void => {
      compared.set(accountId, (compared.get(accountId) ?? 0) + count)
    }
  }
}
