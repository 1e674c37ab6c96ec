import type { Filter } from 'mongodb'
import type { BlogDocument } from './blogs-documents.ts'

/** No word goes on like this: U+10FFFF is no character, and the greatest of all code points. */
const PAST = '\u{10FFFF}'

/**
 * Blogs that have all the terms among these words; of the last, its beginning is enough. An empty
 * term asks for nothing; one at least is not empty.
 */
export function havingWords(terms: string[], field: 'words' | 'body.titleTerms'): Filter<BlogDocument> {
  const beginning = terms.at(-1) ?? ''
  const whole = terms.slice(0, -1).filter((term) => term !== '')
  const conditions: object[] = []
  if (whole.length > 0) conditions.push({ [field]: { $all: whole } })
  if (beginning !== '') conditions.push({ [field]: { $elemMatch: { $gte: beginning, $lt: beginning + PAST } } })
  return { $and: conditions }
}
