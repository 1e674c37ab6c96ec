import { codedWords } from './blog-words.ts'
import type { Database } from './database.ts'

/**
 * The words of a product are kept as those of blogs are (see blog-words.ts). The number of its
 * place is one word more; it begins with a letter
 * that is no hexadecimal digit, so that it is no other's word, and FTS5 need not keep where in a
 * row a word stands.
 */
const codedPlace = (place: number): string => `x${place}`

/**
 * An FTS5 query for the products of these places, one at least, that have all the terms; of the
 * last, its beginning is enough.
 * An empty term asks for nothing; one at least is not empty.
 */
export function productWordsQuery(places: number[], terms: string[]): string {
  const asked = terms
    .map((term, at) => (at < terms.length - 1 ? codedWords([term]) : `${codedWords([term])} *`))
    .filter((_, at) => terms[at] !== '')
  return `(${places.map(codedPlace).join(' OR ')}) AND ${asked.join(' AND ')}`
}

/** Keeps the words of products by their row number. */
export function createProductWords(db: Database) {
  return {
    add: (n: number, place: number, terms: string[]) => {
      db.run('INSERT INTO product_words (rowid, words) VALUES (?, ?)', n, `${codedPlace(place)} ${codedWords(terms)}`)
    },
    remove: (n: number) => {
      db.run('DELETE FROM product_words WHERE rowid = ?', n)
    }
  }
}
