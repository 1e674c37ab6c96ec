import type { ProductStore, ProjectRef } from '../port.ts'
import type { Database } from './database.ts'
import { readWhole } from './products-batch-reads.ts'
import { products, titleKey, type ProductDocument } from './products-documents.ts'

/**
 * How many of one title are told; where so many are called the same, more of them say nothing new.
 */
const MOST_OF_A_TITLE = 20

type Titled = Pick<ProductDocument, '_id' | 'title' | 'sku' | 'attributes'>

/** Finds products by their titles. */
export function createProductTitles(database: Database): Pick<ProductStore, 'findByTitles'> {
  const find = async ({ accountId, projectId }: ProjectRef, titles: string[], limit: number) =>
    await products(database)
      .find<Titled>(
        { accountId, projectId, titleKey: { $in: titles.map(titleKey) }, title: { $in: titles } },
        { projection: { title: 1, sku: 1, attributes: 1 }, sort: { titleKey: 1, _id: 1 }, limit }
      )
      .toArray()

  return {
    findByTitles: (place, titles) =>
      database.act(() =>
        readWhole(database, place.accountId, async () => {
          const asked = [...new Set(titles)]
          if (asked.length === 0) return []
          const limit = MOST_OF_A_TITLE * asked.length
          const together = await find(place, asked, limit)
          // So many are of one title or another that some were cut off: then each title is asked
          // for by itself.
          const found =
            together.length < limit
              ? together
              : (await Promise.all(asked.map((title) => find(place, [title], MOST_OF_A_TITLE)))).flat()
          return [...Map.groupBy(found, ({ title }) => title).values()]
            .flatMap((same) => same.slice(0, MOST_OF_A_TITLE))
            .map(({ _id, title, sku, attributes }) => ({
              id: _id,
              title,
              sku,
              attributes: Object.fromEntries(attributes)
            }))
        })
      )
  }
}
