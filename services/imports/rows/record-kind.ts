import { placesOf, type Columns } from './dialects/columns.ts'
import { shopifyVariantPlaces } from './dialects/shopify.ts'
import { isVariable } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'
import type { Marks } from './records.ts'

/**
 * A `row` of its own; a `part`, which only tells something of other rows; or `nothing`, since it is
 * empty. What cannot be read is a row, so that it is named.
 */
export type RecordKind = 'row' | 'part' | 'nothing'

/**
 * Tells the kind of the record that was split off last. Counting and reading both ask this, so that
 * they agree.
 */
export function createKindOf({ file, columns }: Layout, marks: Marks): (bytes: Buffer, start: number) => RecordKind {
  if (file.format === 'ndjson') {
    return (bytes, start) => (marks.fault !== null || hasText(bytes, start, marks.end) ? 'row' : 'nothing')
  }
  const isPart =
    file.dialect === 'shopify'
      ? shopifyPart(columns, marks)
      : file.dialect === 'woocommerce'
        ? woocommercePart(columns, marks)
        : null
  return (bytes) => {
    if (marks.fault !== null) return 'row'
    if (isBlank(bytes, marks)) return 'nothing'
    return isPart !== null && marks.cells === columns.length && isPart(bytes) ? 'part' : 'row'
  }
}

/** A row that brings only another picture. */
function shopifyPart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const places = shopifyVariantPlaces(columns)
  return (bytes) => !places.some((place) => hasText(bytes, marks.starts[place]!, marks.ends[place]!))
}

/** A product whose variations are the products. */
function woocommercePart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const type = placesOf(columns).one('type')
  return (bytes) => isVariable(bytes.toString('latin1', marks.starts[type], marks.ends[type]))
}

function isBlank(bytes: Buffer, { cells, starts, ends }: Marks): boolean {
  for (let place = 0; place < cells; place++) {
    // Those beyond the header's are not marked.
    if (place >= starts.length || hasText(bytes, starts[place]!, ends[place]!)) return false
  }
  return true
}

function hasText(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 0x20) return true
  return false
}
