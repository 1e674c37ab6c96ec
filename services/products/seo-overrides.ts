import { problem, type FieldError } from '../../errors.ts'
import type { ProductRecord, ProjectRecord, SeoValues } from '../../ports/store/port.ts'
import type { SeoField, SeoInput } from '../../schemas/product.ts'
import { CONTROL_CHARACTERS } from '../../schemas/formats.ts'
import { outputsDigest } from '../optimizer/outputs.ts'
import { normalize } from '../../lib/normalize.ts'

/** Control characters except tabs and line ends. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u

/**
 * Errors that a schema cannot express. Manual values are published unchanged, so invisible control
 * characters are rejected.
 */
export function overrideErrors(patch: SeoInput): FieldError[] {
  const invalid = Object.entries(patch).filter(([, value]) => value !== null && CONTROL.test(value))
  return invalid.map(([field]) => ({
    pointer: `/seo/${field}`,
    ...CONTROL_CHARACTERS
  }))
}

/**
 * Whether a manual value differs from the current value, or null returns a manual field to the
 * optimizer.
 */
const differs = (seo: SeoValues, field: SeoField, value: string | null) =>
  value === null ? seo[field]?.source === 'human' : seo[field]?.value !== value || seo[field]?.source !== 'human'

interface OverrideOptions {
  optimize: ProjectRecord['optimize']
  now: string
  /** Whether the product may hold the claim of the handle. False if another product holds it. */
  holdsHandle?: boolean
}

/**
 * Applies manual values, which the optimizer never overwrites. Null returns a field to the
 * optimizer. Returns the same object if nothing changes; the version is not touched.
 */
export function applySeoOverrides(
  product: ProductRecord,
  patch: SeoInput,
  { optimize, now, holdsHandle = true }: OverrideOptions
): ProductRecord {
  const seo = { ...product.seo }
  let { claims } = product
  let changed = false
  let [released, isShared] = [false, false]
  for (const [field, input] of Object.entries(patch) as [SeoField, string | null][]) {
    const value = input === null ? null : input.toWellFormed()
    if (!differs(product.seo, field, value)) continue
    changed = true
    released ||= value === null
    isShared ||= product.groupId !== null
    // A released handle keeps its value, because it is the address of the page.
    seo[field] =
      value === null
        ? field === 'handle' && seo.handle !== null
          ? { value: seo.handle.value, source: 'rule' }
          : null
        : { value, source: 'human' }
    if (field === 'handle' && value !== null) {
      claims = claims.filter((claim) => !claim.startsWith('handle:'))
      if (holdsHandle) claims.push(handleClaim(value))
    }
  }
  if (!changed) return product
  const next: ProductRecord = { ...product, seo, claims, updatedAt: now }
  // Manual values are not published as an event. A field returned to the optimizer is generated
  // again.
  if (next.eventPendingSince === null && next.publishedDigest !== null) next.publishedDigest = outputsDigest(next)
  // The optimizer writes a manual text of a leader to its variants, also if it is only asked to later.
  if (released || isShared) next.optimizedFromDigest = null
  if (released || (isShared && optimize === 'auto')) {
    next.status = 'pending'
    if (optimize === 'auto') next.optimizePendingSince ??= now
  }
  return next
}

/** Manual values as they are stored: trimmed and in NFC. Imported values keep their exact text. */
export function normalizedSeo(patch: SeoInput): SeoInput {
  return Object.fromEntries(
    Object.entries(patch).map(([field, value]) => [field, value === null ? null : normalize(value.trim(), 'NFC')])
  )
}

/** The claim of a product on its handle. */
export const handleClaim = (handle: string): string => `handle:${handle}`

export const handleTaken = (handle: string) =>
  problem(
    'handle_taken',
    `Another product of this project already uses the handle "${handle}". Choose a different handle.`,
    {
      errors: [{ pointer: '/seo/handle', code: 'taken', message: 'is already used by another product of this project' }]
    }
  )
