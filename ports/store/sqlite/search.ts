/**
 * Full-text search with FTS5 (https://sqlite.org/fts5.html) over terms that are already case-folded
 * and must match exactly. Each term is indexed as the hexadecimal digits of its UTF-8 bytes, which
 * FTS5 neither splits, folds nor parses as query syntax in any script. A prefix of a term is a
 * prefix of its digits.
 */
function encode(term: string): string {
  return Buffer.from(term, 'utf8').toString('hex')
}

/**
 * The row number of a product's project is indexed as one more term. Its first letter is not a
 * hexadecimal digit, so it equals no other term.
 */
function encodeProject(projectN: number): string {
  return `x${projectN}`
}

/** The content of a search column for these terms. */
export function encodeTerms(terms: string[]): string {
  return terms.map(encode).join(' ')
}

/** The content of `product_search.terms`. */
export function encodeProductTerms(projectN: number, terms: string[]): string {
  return `${encodeProject(projectN)} ${encodeTerms(terms)}`
}

/** Whether there is something to search for. Empty terms are ignored. */
export function hasTerms(terms: string[] | undefined): terms is string[] {
  return terms?.some((term) => term !== '') === true
}

/** Requires all terms; the last one matches as a prefix. At least one term must not be empty. */
function matchAll(terms: string[]): string {
  return terms
    .map((term, at) => (at < terms.length - 1 ? encode(term) : `${encode(term)} *`))
    .filter((_, at) => terms[at] !== '')
    .join(' AND ')
}

/** FTS5 query for the account's blogs that have all terms in these columns of `blog_search`. */
export function blogQuery(accountId: string, terms: string[], columns: 'title' | 'title text'): string {
  return `account : ${encode(accountId)} AND {${columns}} : (${matchAll(terms)})`
}

/** FTS5 query for the products of these projects (at least one) that have all terms. */
export function productQuery(projectNs: number[], terms: string[]): string {
  return `(${projectNs.map(encodeProject).join(' OR ')}) AND ${matchAll(terms)}`
}
