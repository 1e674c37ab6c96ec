import type { ProductRecord } from '../../../../ports/store/port.ts'
import { applyRules, type Surroundings, type UniqueField } from '../../../../services/optimizer/rules/index.ts'
import { givenProduct } from '../given.ts'

/** What the rules make of a product, the first `count` texts of each kind. */
export function ruled(
  said: Partial<ProductRecord> & { title: string },
  surroundings: Partial<Surroundings> = {},
  count = 1
) {
  const { drafts, ...others } = applyRules(givenProduct({ externalId: 'ext-1', ...said }), {
    brandName: null,
    siblings: [],
    ...surroundings
  })
  const texts = Object.fromEntries(
    Object.entries(drafts).map(([field, iterator]) => [field, Iterator.from(iterator).take(count).toArray()])
  ) as Record<UniqueField, string[]>
  return { ...others, ...texts }
}
