/** Of whatever kind: a site may put its own for them, and single ones for double. */
const QUOTES = /[\u2018-\u201f\u2032\u2033\u2039\u203a`´«»"]|''/g
const DASHES = /[\u2010-\u2015\u2212]|-{2,3}/g
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0f/g

/**
 * A text as it is compared: what a page may change without harm (quotes, dashes, soft hyphens,
 * width, case, white space) is folded. The same for what was folded before.
 */
export function normalText(text: string): string {
  const plain = text.normalize('NFKC').replace(UNSEEN, '').replaceAll('…', '...')
  return plain.replace(QUOTES, "'").replace(DASHES, '-').replace(/\s+/g, ' ').trim().toLowerCase()
}
