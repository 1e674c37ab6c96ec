/**
 * The search works on words as they are given: they are folded already, and are to be matched
 * exactly. So each is kept as the hexadecimal
 * digits of its UTF-8, which FTS5 (https://sqlite.org/fts5.html) can neither split, fold nor take
 * for its query syntax, whatever the script.
 * The beginning of a word is the beginning of its digits.
 */
const coded = (word: string): string => Buffer.from(word, 'utf8').toString('hex')

/** The words as one column of the search table. */
export function codedWords(words: string[]): string {
  return words.map(coded).join(' ')
}

/**
 * An FTS5 query for the account's blogs that have all the terms in these columns; of the last, its
 * beginning is enough.
 * An empty term asks for nothing; one at least is not empty.
 */
export function wordsQuery(accountId: string, terms: string[], columns: 'title' | 'title text'): string {
  const asked = terms
    .map((term, at) => (term === '' || at < terms.length - 1 ? coded(term) : `${coded(term)} *`))
    .filter((term) => term !== '')
  return `account : ${coded(accountId)} AND {${columns}} : (${asked.join(' AND ')})`
}
