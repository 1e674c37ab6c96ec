import type { ProductRecord } from '../../../../ports/store/port.ts'
import { applyRules, type SubjectContext, type UniqueField } from '../../../../services/optimizer/rules/index.ts'
import { buildProduct } from '../fixtures.ts'

/** Runs the rules and returns the first `count` candidates of each unique field. */
export function runRules(
  fields: Partial<ProductRecord> & { title: string },
  context: Partial<SubjectContext> = {},
  count = 1
) {
  const { drafts, ...others } = applyRules(buildProduct({ externalId: 'ext-1', ...fields }), {
    brandName: null,
    locale: null,
    siblings: [],
    ...context
  })
  const texts = Object.fromEntries(
    Object.entries(drafts).map(([field, iterator]) => [field, Iterator.from(iterator).take(count).toArray()])
  ) as Record<UniqueField, string[]>
  return { ...others, ...texts }
}
