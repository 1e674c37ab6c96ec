import type { ProductRecord } from '../../../../ports/store/port.ts'
import { applyRules, type SubjectContext, type UniqueField } from '../../../../services/optimizer/rules/index.ts'
import { buildProduct } from '../fixtures.ts'

/** What the rules make of a product, the first `count` texts of each kind. */
export function runRules(
  said: Partial<ProductRecord> & { title: string },
  context: Partial<SubjectContext> = {},
  count = 1
) {
  const { drafts, ...others } = applyRules(buildProduct({ externalId: 'ext-1', ...said }), {
    brandName: null,
    siblings: [],
    ...context
  })
  const texts = Object.fromEntries(
    Object.entries(drafts).map(([field, iterator]) => [field, Iterator.from(iterator).take(count).toArray()])
  ) as Record<UniqueField, string[]>
  return { ...others, ...texts }
}
