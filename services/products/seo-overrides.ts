import { problem, type FieldError } from '../../errors.ts'
import type { ProductRecord, SeoValues } from '../../ports/store/port.ts'
import type { ProductPatch, SeoField } from '../../schemas/product.ts'

type SeoPatch = NonNullable<ProductPatch['seo']>

/** Control characters except tabs and line ends. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u

/**
 * Errors that a schema cannot express. Manual values are published unchanged, so invisible control
 * characters are rejected.
 */
export function overrideErrors(patch: SeoPatch): FieldError[] {
  const invalid = Object.entries(patch).filter(([, value]) => value !== null && CONTROL.test(value))
  return invalid.map(([field]) => ({
    pointer: `/seo/${field}`,
    code: 'control_characters',
    message: 'must not contain control characters other than tabs and line ends'
  }))
}

/**
 * Whether a manual value differs from the current value, or null returns a manual field to the
 * optimizer.
 */
const differs = (seo: SeoValues, field: SeoField, value: string | null) =>
  value === null ? seo[field]?.source === 'human' : seo[field]?.value !== value || seo[field]?.source !== 'human'

/**
 * Applies manual values, which the optimizer never overwrites. Null returns a field to the
 * optimizer; `released` reports that.
 */
export function applySeoOverrides(
  product: ProductRecord,
  patch: SeoPatch
): { seo: SeoValues; claims: string[]; changed: boolean; released: boolean } {
  const seo = { ...product.seo }
  let { claims } = product
  let changed = false
  let released = false
  for (const [field, input] of Object.entries(patch) as [SeoField, string | null][]) {
    const value = input === null ? null : input.trim().normalize('NFC').toWellFormed()
    if (!differs(product.seo, field, value)) continue
    changed = true
    released ||= value === null
    // A released handle keeps its value, because it is the address of the page.
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
  problem(
    'handle_taken',
    `Another product of this project already uses the handle "${handle}". Choose a different handle.`,
    {
      errors: [{ pointer: '/seo/handle', code: 'taken', message: 'is already used by another product of this project' }]
    }
  )
