import type { Filter } from 'mongodb'
import type { ProductFilter } from '../port.ts'
import { seenBy } from './seen-by.ts'
import type { ProductDocument } from './products-documents.ts'

const HIGHEST = 0x10ffff
const SURROGATES = { first: 0xd800, last: 0xdfff }

/** The condition of a list. Each field is narrowed to one span of its index. */
export function conditionOf({
  terms = [],
  category,
  updatedSince,
  status,
  sku,
  externalId,
  ...reader
}: ProductFilter): Filter<ProductDocument> {
  return {
    ...seenBy(reader),
    ...(status === undefined ? {} : { status }),
    ...(sku === undefined ? {} : { sku }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(updatedSince === undefined ? {} : { updatedAt: { $gte: updatedSince } }),
    ...(category === undefined ? {} : inCategory(category)),
    ...withTerms(terms)
  }
}

/** Of this category or below it; `!` is the sign after the space. The span holds little else. */
function inCategory(category: string): Filter<ProductDocument> {
  return {
    category: { $gte: category, $lt: `${category} >!` },
    $or: [{ category }, { category: { $gte: `${category} > ` } }]
  }
}

/** All these words; of the last, its beginning is enough. An empty one asks for nothing. */
function withTerms(terms: string[]): Filter<ProductDocument> {
  const last = terms.at(-1) ?? ''
  const whole = terms.slice(0, -1).filter((term) => term !== '')
  if (whole.length === 0 && last === '') return {}
  return {
    terms: {
      ...(whole.length === 0 ? {} : { $all: whole }),
      ...(last === '' ? {} : { $elemMatch: beginningWith(last) })
    }
  }
}

/** The span of the texts that begin so, by code point. */
function beginningWith(beginning: string): { $gte: string; $lt?: string } {
  const points = Array.from(beginning, (sign) => sign.codePointAt(0) as number)
  while (points.at(-1) === HIGHEST) points.pop()
  const last = points.pop()
  if (last === undefined) return { $gte: beginning }
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1
  return { $gte: beginning, $lt: String.fromCodePoint(...points, next) }
}
