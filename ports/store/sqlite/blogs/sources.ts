import type { SQLInputValue } from 'node:sqlite'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import { forEachStep, type StepSizes } from '../steps.ts'
import type { BlogCounts } from './counts.ts'
import { indexedProject, inPeriod, LABELS, toConditions } from './filters.ts'

/** An index that contains all blogs of a list, besides others, and how many blogs it has. */
interface Source {
  count: number
  tables: string
  blogs: Condition
  /** The columns that order it. */
  key: string[]
  /** The filter that all of its blogs meet. */
  covered?: (typeof LABELS)[number]
}

/**
 * Finds the blogs of lists whose number is not stored, such as those of a tag and an author. They are read through the
 * index of the filter that leaves the fewest blogs, which the stored counts tell.
 */
export function createBlogSources(db: Database, sizes: StepSizes, counts: BlogCounts) {
  function ofLabel({ accountId, ...filter }: BlogFilter, kind: (typeof LABELS)[number]): Source[] {
    const label = filter[kind]
    if (label === undefined) return []
    return [
      {
        count: counts.total({ accountId, projectIds: null, status: 'any', [kind]: label })!,
        tables: 'blog_labels l CROSS JOIN blogs b INDEXED BY blogs_facts ON b.n = l.n',
        blogs: {
          sql: 'l.account_id = ? AND l.kind = ? AND l.label_key = ?',
          values: [accountId, kind, foldLabel(label)]
        },
        key: ['l.n'],
        covered: kind
      }
    ]
  }

  function ofUpdates({ accountId, status, updatedSince }: BlogFilter): Source[] {
    if (updatedSince === undefined) return []
    const isAny = status === 'any'
    return [
      {
        count: counts.atMost({ accountId, projectIds: null, status, updatedSince })!,
        tables: `blogs b INDEXED BY ${isAny ? 'blogs_of_any_status_by_update' : 'blogs_by_update'}`,
        blogs: {
          sql: `b.account_id = ? ${isAny ? '' : 'AND b.status = ?'} AND b.updated_at >= ?`,
          values: [accountId, ...(isAny ? [] : [status]), updatedSince]
        },
        key: ['b.updated_at', 'b.id']
      }
    ]
  }

  /** At most so many blogs are in the part of an index in order of publication that `chooseIndex` chooses. */
  function countIndexed(filter: BlogFilter): number {
    const { accountId, status, category, locale, publishedAfter, publishedBefore } = filter
    const all: BlogFilter = { accountId, projectIds: null, status }
    const project = indexedProject(filter)
    const isPeriod = publishedAfter !== undefined || publishedBefore !== undefined
    const ofColumns =
      status === 'any'
        ? all
        : category !== undefined
          ? { ...all, category }
          : project !== undefined
            ? { ...all, projectId: project }
            : { ...all, ...(locale === undefined ? {} : { locale }) }
    return Math.min(
      counts.total(ofColumns)!,
      isPeriod ? counts.atMost({ ...all, publishedAfter, publishedBefore } as BlogFilter)! : Infinity
    )
  }

  /** The index with the fewest blogs. Null: one that is in order of publication. */
  function choose(filter: BlogFilter): Source | null {
    const sources = [...LABELS.flatMap((kind) => ofLabel(filter, kind)), ...ofUpdates(filter)]
    const [first] = sources.sort((a, b) => a.count - b.count)
    return first !== undefined && first.count < countIndexed(filter) ? first : null
  }

  /** The number of blogs of the list, and their row numbers unless they are too many to sort. */
  async function find(
    filter: BlogFilter,
    { tables, blogs, key, covered }: Source
  ): Promise<{ ns: number[] | null; totalCount: number }> {
    const keys = `(${key.join(', ')})`
    const marks = `(${key.map(() => '?').join(', ')})`
    const matching = and([...toConditions(filter, covered === undefined ? [] : [covered]), ...inPeriod(filter)])
    const ns: number[] = []
    let totalCount = 0
    await forEachStep<SQLInputValue[]>(
      (after) => {
        const { sql, values } = after === null ? blogs : and([blogs, { sql: `${keys} > ${marks}`, values: after }])
        const end = db.one<Record<string, SQLInputValue>>(
          `SELECT ${key.map((column, at) => `${column} AS key${at}`).join(', ')} FROM ${tables} WHERE ${sql}
           ORDER BY ${key.join(', ')} LIMIT 1 OFFSET ${sizes.rows - 1}`,
          ...values
        )
        return end === undefined ? null : key.map((_, at) => end[`key${at}`]!)
      },
      ({ after, upTo }) => {
        const { sql, values } = and([
          blogs,
          ...(after === null ? [] : [{ sql: `${keys} > ${marks}`, values: after }]),
          ...(upTo === null ? [] : [{ sql: `${keys} <= ${marks}`, values: upTo }]),
          matching
        ])
        const found = db.all<{ n: number }>(`SELECT b.n FROM ${tables} WHERE ${sql}`, ...values)
        totalCount += found.length
        if (totalCount <= sizes.sorted) for (const { n } of found) ns.push(n)
      }
    )
    return { ns: totalCount > sizes.sorted ? null : ns, totalCount }
  }

  return { choose, countIndexed, find }
}
