import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import { forEachStep, type StepSizes } from '../steps.ts'

/** Filters for which counts are stored: see `product-counts-schema.ts`. */
const COUNTED = ['status', 'category', 'quality'] as const
type Counted = (typeof COUNTED)[number]

export const isCounted = (name: string): name is Counted => (COUNTED as readonly string[]).includes(name)

/** Reads the counts of products that triggers maintain. */
export function createProductCounts(db: Database, sizes: StepSizes) {
  function sum(projectNs: number[], kind: Counted, condition: Condition): number {
    return db.one<{ count: number }>(
      `SELECT coalesce(sum(c.count), 0) AS count FROM json_each(?) CROSS JOIN product_counts c
       WHERE c.project_n = json_each.value AND c.kind = ? AND ${condition.sql}`,
      JSON.stringify(projectNs),
      kind,
      ...condition.values
    )!.count
  }

  /** The products of the subcategories of a category, in steps: any number of products may have one of their own. */
  async function sumSubcategories(projectNs: number[], category: string): Promise<number> {
    const [first, end] = [`${category} > `, `${category} >!`]
    const isFew =
      db.one(
        `SELECT 1 FROM json_each(?) CROSS JOIN product_counts c
         WHERE c.project_n = json_each.value AND c.kind = 'category' AND c.value >= ? AND c.value < ? LIMIT 1 OFFSET ?`,
        JSON.stringify(projectNs),
        first,
        end,
        sizes.rows
      ) === undefined
    if (isFew) return sum(projectNs, 'category', { sql: 'c.value >= ? AND c.value < ?', values: [first, end] })
    let total = 0
    for (const projectN of projectNs) {
      const following = (after: string | null): Condition => ({
        sql: `c.value ${after === null ? '>=' : '>'} ?`,
        values: [after ?? first]
      })
      await forEachStep<string>(
        (after) => {
          const { sql, values } = and([following(after), { sql: 'c.value < ?', values: [end] }])
          const last = db.one<{ value: string }>(
            `SELECT c.value FROM product_counts c WHERE c.project_n = ? AND c.kind = 'category' AND ${sql}
             ORDER BY c.value LIMIT 1 OFFSET ?`,
            projectN,
            ...values,
            sizes.rows - 1
          )
          return last?.value ?? null
        },
        ({ after, upTo }) => {
          const until: Condition =
            upTo === null ? { sql: 'c.value < ?', values: [end] } : { sql: 'c.value <= ?', values: [upTo] }
          total += sum([projectN], 'category', and([following(after), until]))
        }
      )
    }
    return total
  }

  return {
    /** Products of these projects with this value, or all. Those of a category include its subcategories. */
    async count(projectNs: number[], kind: Counted, value: string | undefined): Promise<number> {
      if (value === undefined) return sum(projectNs, kind, { sql: 'true', values: [] })
      const total = sum(projectNs, kind, { sql: 'c.value = ?', values: [value] })
      return kind === 'category' ? total + (await sumSubcategories(projectNs, value)) : total
    }
  }
}
