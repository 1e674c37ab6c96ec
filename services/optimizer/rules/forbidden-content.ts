/**
 * What neither a title nor a description for search results may hold, whoever wrote it. Each
 * pattern looks at text after NFKC.
 */
const KINDS: Record<string, RegExp> = {
  address:
    /\b(?:https?|ftp|mailto|tel|javascript|data):|\bwww\.|\/\/|[\p{L}\p{N}-]\.(?:com|net|org|info|biz|shop|store|online|site|xyz|top|app|dev|io|co|ai|me|tv|ly|eu|us|uk|de|fr|es|it|nl|be|at|ch|pl|cz|ru|ua|cn|jp|kr|in|br|au|ca|example|test)\b/iu,
  email: /@|\(at\)|\[at\]/iu,
  // Seven digits or more with nothing but spaces, dots, dashes, slashes and brackets between them.
  telephone: /(?:\+|\b00)\d[\d\s().\-/]{5,}\d|(?:\d[\s().\-‐‑–/]{0,2}){6,}\d/u,
  // Keycaps and flags are made of characters that are no pictures themselves.
  emoji: /(?![©®™‼⁉↔-↙])\p{Extended_Pictographic}|\p{Regional_Indicator}|[\uFE0F\u20E3]/u,
  price: /\p{Sc}|\b(?:EUR|USD|GBP|CHF)\s?\d|\d\s?(?:EUR|USD|GBP|CHF)\b/u
}

/**
 * The kinds of things in the text that may not be there: address, email, telephone, emoji, price.
 */
export function forbiddenIn(text: string): string[] {
  const plain = text.normalize('NFKC')
  return Object.keys(KINDS).filter((kind) => KINDS[kind]!.test(plain))
}

const EMOJI =
  /(?![©®™‼⁉↔-↙])[\p{Extended_Pictographic}\p{Regional_Indicator}](?:[\uFE0F\u200D\p{Emoji_Modifier}]|\p{Extended_Pictographic})*|[\uFE0F\u20E3]/gu

/** The text without emoji. */
export function withoutEmoji(text: string): string {
  return text.replace(EMOJI, '').replace(/ {2,}/g, ' ').trim()
}
