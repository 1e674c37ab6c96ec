import type { Filter, Sort } from 'mongodb'
import type { Database } from './database.ts'

/**
 * So many entries of the index are read at a time; when all of them have the same value, the rest
 * of that value is jumped over.
 */
const PAGE = 100

export interface Distinct<Field extends string> {
  collection: string
  /** A field of text. */
  field: Field
  filter: object
  /** The name of an index of what the filter lets through, in order of the field. */
  index: string
  limit: number
}

/**
 * The values of the field among what the filter lets through, in order, at most `limit`. However
 * many documents have a value, few of them are looked at.
 */
export async function distinctValues<Field extends string>(
  database: Database,
  { collection, field, filter, index, limit }: Distinct<Field>
): Promise<string[]> {
  const values: string[] = []
  for (;;) {
    const after: Filter<object> = values.length === 0 ? filter : { ...filter, [field]: { $gt: values.at(-1) } }
    const page = await database
      .collection<Record<Field, string>>(collection)
      .find(after as object, {
        projection: { _id: 0, [field]: 1 },
        sort: { [field]: 1 } as Sort,
        limit: PAGE,
        hint: index
      })
      .toArray()
    values.push(...new Set(page.map((document) => document[field as keyof typeof document] as string)))
    if (page.length < PAGE || values.length >= limit) return values.slice(0, limit)
  }
}
