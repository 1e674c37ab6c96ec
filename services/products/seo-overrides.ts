import { problem, type FieldError } from '../../errors.ts'
import type { ProductRecord, SeoValues } from '../../ports/store/port.ts'
import type { ProductPatch, SeoField } from '../../schemas/product.ts'

type SeoPatch = NonNullable<ProductPatch['seo']>

/** Control characters that are neither tab nor line end. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u

/**
 * What no schema can see is wrong with what a person wrote: it is sent to receivers as it is, so
 * nothing invisible may control what shows it.
 */
export function overrideErrors(patch: SeoPatch): FieldError[] {
  const wrong = Object.entries(patch).filter(([, value]) => value !== null && CONTROL.test(value))
  return wrong.map(([field]) => ({
    pointer: `/seo/${field}`,
    code: 'control_characters',
    message: 'must have no control characters but tabs and line ends'
  }))
}

/**
 * Whether a value of the person is different from what is there, or takes a field back from the
 * person.
 */
const differs = (seo: SeoValues, field: SeoField, value: string | null) =>
  value === null ? seo[field]?.source === 'human' : seo[field]?.value !== value || seo[field]?.source !== 'human'

/**
 * What a person wrote: kept as it is, never overwritten by a machine; null gives a field back.
 * `returned` names the latter.
 */
export function applySeoOverrides(
  product: ProductRecord,
  patch: SeoPatch
): { seo: SeoValues; claims: string[]; changed: boolean; released: boolean } {
  const seo = { ...product.seo }
  let { claims } = product
  let changed = false
  let released = false
  for (const [field, given] of Object.entries(patch) as [SeoField, string | null][]) {
    const value = given === null ? null : given.trim().normalize('NFC').toWellFormed()
    if (!differs(product.seo, field, value)) continue
    changed = true
    released ||= value === null
    // A handle that is given back stays the address that it is, until a person says otherwise.
    seo[field] =
      value === null
        ? field === 'handle' && seo.handle !== null
          ? { value: seo.handle.value, source: 'rule' }
          : null
        : { value, source: 'human' }
    if (field === 'handle' && value !== null) {
      claims = [...claims.filter((claim) => !claim.startsWith('handle:')), `handle:${value}`]
    }
  }
  return { seo, claims, changed, released }
}

export const handleTaken = (handle: string) =>
  problem('handle_taken', `Another product of the project has the handle "${handle}".`, {
    errors: [{ pointer: '/seo/handle', code: 'taken', message: 'is the handle of another product of the project' }]
  })
