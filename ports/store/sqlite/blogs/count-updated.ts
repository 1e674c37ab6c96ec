import type { BlogFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, inScope } from '../sql.ts'
import { countRows, type Step, type StepSizes } from '../steps.ts'

/**
 * The number of blogs that were updated since a time, from an index alone, without their rows. Undefined if no such
 * time is given, or if the index lacks the column of another filter.
 */
export async function countUpdated(
  { db, sizes }: { db: Database; sizes: StepSizes },
  { sort: _sort, ...filter }: BlogFilter
): Promise<number | undefined> {
  const { accountId, projectIds, projectId, status, updatedSince, ...others } = filter
  if (updatedSince === undefined || Object.values(others).some((value) => value !== undefined)) return undefined
  const [index, ofStatus] =
    status === 'any'
      ? ['blogs_of_any_status_by_update', []]
      : ['blogs_by_update', [{ sql: 'b.status = ?', values: [status] }]]
  const from = `FROM blogs b INDEXED BY ${index}`
  const matching = ({ after, upTo }: Step<{ at: string; id: string }>) =>
    and([
      inScope({ accountId, projectIds, projectId }, 'b'),
      ...ofStatus,
      { sql: '(b.updated_at, b.id) > (?, ?)', values: [after?.at ?? updatedSince, after?.id ?? ''] },
      ...(upTo === null ? [] : [{ sql: '(b.updated_at, b.id) <= (?, ?)', values: [upTo.at, upTo.id] }])
    ])
  return await countRows<{ at: string; id: string }>({
    endOfStep: (after) => {
      const { sql, values } = matching({ after, upTo: null })
      return (
        db.one<{ at: string; id: string }>(
          `SELECT b.updated_at AS at, b.id ${from} WHERE ${sql} ORDER BY b.updated_at, b.id
           LIMIT 1 OFFSET ${sizes.entries - 1}`,
          ...values
        ) ?? null
      )
    },
    count: (step) => {
      const { sql, values } = matching(step)
      return db.one<{ count: number }>(`SELECT count(*) AS count ${from} WHERE ${sql}`, ...values)!.count
    }
  })
}
