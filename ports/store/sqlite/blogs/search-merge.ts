import { createYielder } from '../../../../lib/async.ts'
import type { Database } from '../database.ts'
import { createSegmentMerges } from '../search-segments.ts'
import { encodeTerms, placeInPartition, removeFromPartition, type PartitionPlace } from '../search.ts'

/*
 * Earlier versions divided the blogs of an account into partitions of the search index, each of which a search has to
 * look up. These are joined in the background, some blogs at a time: every search is exact meanwhile, and what is left
 * after a crash is joined later. They move in order of title, so that those of all partitions move at the same time:
 * a step that merges segments ends by the amount that it writes, and would read the entries of a whole partition at
 * once, all of which are deleted.
 */

const ROWS_AT_ONCE = 500
/** Limits of one transaction. */
const BLOGS_AT_ONCE = 16
const TERMS_AT_ONCE = 10_000

interface Row extends PartitionPlace {
  n: number
  id: string
  title: string
}

/** Moves a blog to the partition of new blogs, unless it was deleted meanwhile. Call inside a transaction. */
function move(db: Database, accountId: string, n: number): void {
  const row = db.one<PartitionPlace & { titleTerms: string; textTerms: string }>(
    `SELECT b.search_partition AS partitionN, b.search_terms AS terms,
       t.body ->> '$.titleTerms' AS titleTerms, t.body ->> '$.textTerms' AS textTerms
     FROM blogs b JOIN blog_bodies t USING (n) WHERE b.n = ?`,
    n
  )
  if (row === undefined) return
  const [titleTerms, textTerms] = [JSON.parse(row.titleTerms) as string[], JSON.parse(row.textTerms) as string[]]
  removeFromPartition(db, 'blog', row)
  const { partitionN, terms } = placeInPartition(db, 'blog', {
    owner: accountId,
    terms: titleTerms.length + textTerms.length,
    before: null
  })
  db.run('UPDATE blogs SET search_partition = ?, search_terms = ? WHERE n = ?', partitionN, terms, n)
  db.run(
    'INSERT OR REPLACE INTO blog_search (rowid, title, text) VALUES (?, ?, ?)',
    n,
    encodeTerms(partitionN, titleTerms),
    encodeTerms(partitionN, textTerms)
  )
}

/** Divides rows into those of one transaction each. */
function* groupsOf(rows: Row[]): Generator<Row[]> {
  let group: Row[] = []
  let terms = 0
  for (const row of rows) {
    if (group.length === BLOGS_AT_ONCE || (group.length > 0 && terms + row.terms > TERMS_AT_ONCE)) {
      yield group
      group = []
      terms = 0
    }
    group.push(row)
    terms += row.terms
  }
  if (group.length > 0) yield group
}

/** Moves the blogs of an account to its last partition. */
async function mergeAccount(
  db: Database,
  { accountId, last }: { accountId: string; last: number },
  signal: AbortSignal
): Promise<void> {
  const pause = createYielder()
  const mergeSegments = createSegmentMerges(db, 'blog_search')
  let after: Pick<Row, 'title' | 'id'> | undefined = { title: '', id: '' }
  while (after !== undefined) {
    await pause()
    if (signal.aborted) return
    const rows: Row[] = db.all<Row>(
      `SELECT n, id, title_key AS title, search_partition AS partitionN, search_terms AS terms
       FROM blogs INDEXED BY blogs_of_any_status_by_title
       WHERE account_id = ? AND (title_key, id) > (?, ?) ORDER BY title_key, id LIMIT ${ROWS_AT_ONCE}`,
      accountId,
      after.title,
      after.id
    )
    for (const group of groupsOf(rows.filter(({ partitionN }) => partitionN !== last))) {
      await pause()
      if (signal.aborted) return
      db.relaxedTransaction(() => {
        for (const { n } of group) move(db, accountId, n)
      })
      await mergeSegments(group.reduce((terms, row) => terms + row.terms, 0))
    }
    after = rows.at(-1)
  }
}

/** Joins the partitions of all accounts. Ends early when the signal aborts; the next call continues. */
export async function mergePartitions(db: Database, signal: AbortSignal): Promise<void> {
  const divided = db.all<{ accountId: string; last: number }>(
    `SELECT account_id AS accountId, max(n) AS last FROM blog_search_partitions GROUP BY account_id HAVING count(*) > 1`
  )
  for (const account of divided) await mergeAccount(db, account, signal)
}
