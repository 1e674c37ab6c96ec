/**
 * Text in UTF-8 that was read as Windows-1252 or Latin-1, and the sign for what could not be read
 * (https://www.w3.org/International/questions/qa-what-is-encoding). After the first of three bytes
 * no space, quote or dots count: French puts those after its accents.
 */
const GARBLED =
  /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€.?|Â[\u0080-\u00bf]|[ÐÑØÙ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[à-ï][\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ˜™š›œžŸ]{2}|ï¿½|\ufffd/g
/** One alone is proof enough. */
const UNMISTAKABLE = /Ã[\u0080-\u00bf€]|â€|ï¿½|\ufffd/
const TAG =
  /<\/?(?:p|h[1-6]|ul|ol|li|div|span|strong|em|b|i|code|pre|figure|figcaption|img|table|thead|tbody|tr|td|th|blockquote|a|br|hr|section)(?=[\s>/])[^<>]{0,300}>/gi
const ENTITY =
  /&(?:amp|nbsp|[lr]squo|[lr]dquo|lt|gt|quot|apos|hellip|[mn]dash|copy|euro|shy|[aeiou](?:uml|acute|grave|circ)|szlig|eacute|#\d{2,6}|#x[0-9a-f]{2,5});/gi

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** How many signs of a wrong character encoding a text has beyond our own. */
export function wrongCharacters(text: string, own: string): number {
  const surplus = count(text, GARBLED) - count(own, GARBLED)
  if (surplus > 1 || (surplus === 1 && UNMISTAKABLE.test(text))) return surplus
  return lostToQuestionMarks(text, own)
}

/** Letters beyond ASCII that became question marks. */
function lostToQuestionMarks(text: string, own: string): number {
  const lost = count(own, /[^\p{ASCII}]/gu)
  const spoilt = own
    .replace(/[^\p{ASCII}]/gu, '?')
    .replace(/\s+/g, ' ')
    .trim()
  return lost > 0 && text.replace(/\s+/g, ' ').trim() === spoilt ? lost : 0
}

/** How many HTML tags stand as text, beyond our own. */
export const tagsShown = (text: string, own: string): number => Math.max(0, count(text, TAG) - count(own, TAG))

const MARKDOWN =
  /(?<=^|\s)#{1,6} (?=\S)|\*\*[^*\n]{2,120}\*\*|!?\[[^\]\n]{1,200}\]\((?:https?:|\/|#)[^)\s]*\)|(?<=^|\s)```/g

/**
 * How many marks of Markdown stand as text, beyond our own: headings, bold words, links, fences.
 * One or two may be a reader's.
 */
export function marksShown(text: string, own: string): number {
  const surplus = count(text, MARKDOWN) - count(own, MARKDOWN)
  return surplus > 2 ? surplus : 0
}

/** How many HTML entities stand as text, beyond our own. */
export const entitiesShown = (text: string, own: string): number =>
  Math.max(0, count(text, ENTITY) - count(own, ENTITY))

/**
 * The text that was meant where tags and entities stand as text: these as spaces, which serves to
 * compare words.
 */
export const withoutMarkup = (text: string): string => text.replace(TAG, ' ').replace(ENTITY, ' ')
