import type { Filter } from 'mongodb'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogFilter, BlogPosition } from '../../port.ts'
import { visibleTo } from '../documents.ts'
import type { BlogDocument } from './documents.ts'

export type Order = Record<string, 1 | -1>

/** A page of a list. */
export interface Slice {
  order: Order
  skip: number
  limit: number
}

/** MongoDB sorts null before all other values. */
export const ORDERS: Readonly<Record<BlogSort, Order>> = {
  '-publishedAt': { 'metadata.publishedAt': -1, _id: -1 },
  publishedAt: { 'metadata.publishedAt': 1, _id: 1 },
  '-updatedAt': { 'metadata.updatedAt': -1, _id: -1 },
  updatedAt: { 'metadata.updatedAt': 1, _id: 1 },
  title: { 'keys.title': 1, _id: 1 },
  '-title': { 'keys.title': -1, _id: -1 },
  publishAt: { 'metadata.publishAt': 1, _id: 1 }
}
/** All of these filters, without nesting: an index is chosen by the conditions of the first level. */
export const and = (...filters: Filter<BlogDocument>[]): Filter<BlogDocument> => ({
  $and: filters.flatMap((filter) => (Object.keys(filter).join() === '$and' ? filter.$and! : [filter]))
})

/** The blogs that follow a position in an order. `isNullable`: blogs without a publication date may be among them. */
export function followsIn(
  sort: BlogSort,
  { value, id }: BlogPosition,
  { isNullable }: { isNullable: boolean }
): Filter<BlogDocument> {
  const field = Object.keys(ORDERS[sort])[0]!
  const descending = ORDERS[sort]._id === -1
  const beyond = descending ? '$lt' : '$gt'
  // Null comes first, or last in a descending order. Comparisons with a text never match it.
  if (value === null) {
    const others = descending ? [] : [{ [field]: { $gte: '' } }]
    return { $or: [{ [field]: null, _id: { [beyond]: id } }, ...others] } as Filter<BlogDocument>
  }
  const follows = [{ [field]: { [beyond]: value } }, { [field]: value, _id: { [beyond]: id } }]
  if (descending && isNullable) {
    return { $or: [...follows, { [field]: null }] } as Filter<BlogDocument>
  }
  // The first condition is a range of the index.
  return { [field]: { [descending ? '$lte' : '$gte']: value }, $or: follows } as Filter<BlogDocument>
}

export function toFilter(filter: BlogFilter): Filter<BlogDocument> {
  const { status, category, locale, language, author, tag, publishedAfter, publishedBefore, updatedSince } = filter
  return {
    ...visibleTo(filter),
    ...(status === 'any' ? { deleted: false } : { 'metadata.status': status }),
    ...(category === undefined ? {} : { 'keys.category': foldLabel(category) }),
    ...(locale === undefined ? {} : { 'keys.locale': locale.toLowerCase() }),
    ...(language === undefined ? {} : { 'keys.language': language }),
    ...(author === undefined ? {} : { 'keys.authors': foldLabel(author) }),
    ...(tag === undefined ? {} : { 'keys.tags': foldLabel(tag) }),
    ...(publishedAfter === undefined && publishedBefore === undefined
      ? {}
      : {
          'metadata.publishedAt': {
            ...(publishedAfter === undefined ? {} : { $gt: publishedAfter }),
            ...(publishedBefore === undefined ? {} : { $lt: publishedBefore })
          }
        }),
    ...(updatedSince === undefined ? {} : { 'metadata.updatedAt': { $gte: updatedSince } })
  }
}
