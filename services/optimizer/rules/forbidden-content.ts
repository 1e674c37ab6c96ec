import { normalize } from '../../../lib/normalize.ts'
/** Top-level domains by which an address without a scheme is recognized. */
const TOP_LEVEL_DOMAINS = [
  'com net org info biz shop store online site xyz top app dev io co ai me tv',
  'ly eu us uk de fr es it nl be at ch pl cz ru ua cn jp kr in br au ca example test'
]
  .join(' ')
  .replaceAll(' ', '|')

/**
 * Content that titles and descriptions in search results must not contain, from any source. The
 * patterns are matched after NFKC normalization.
 */
const KINDS: Record<string, RegExp> = {
  address: new RegExp(
    String.raw`\b(?:https?|ftp|mailto|tel|javascript|data):|\bwww\.|\/\/|[\p{L}\p{N}-]\.(?:${TOP_LEVEL_DOMAINS})\b`,
    'iu'
  ),
  email: /@|\(at\)|\[at\]/iu,
  // At least seven digits, separated only by spaces, dots, dashes, slashes and brackets.
  telephone: /(?:\+|\b00)\d[\d\s().\-/]{5,}\d|(?:\d[\s().\-‐‑–/]{0,2}){6}\d/u,
  // Keycaps and flags consist of characters that are not pictographs themselves.
  emoji: /(?![©®™‼⁉↔-↙])\p{Extended_Pictographic}|\p{Regional_Indicator}|[\uFE0F\u20E3]/u,
  price: /\p{Sc}|\b(?:EUR|USD|GBP|CHF)\s?\d|\d\s?(?:EUR|USD|GBP|CHF)\b/u
}

/** The kinds of forbidden content in a text: address, email, telephone, emoji, price. */
export function forbiddenIn(text: string): string[] {
  const plain = normalize(text, 'NFKC')
  return Object.keys(KINDS).filter((kind) => KINDS[kind]!.test(plain))
}

const EMOJI = new RegExp(
  [
    String.raw`(?![©®™‼⁉↔-↙])[\p{Extended_Pictographic}\p{Regional_Indicator}]`,
    String.raw`(?:[\uFE0F\u200D\p{Emoji_Modifier}]|\p{Extended_Pictographic})*`,
    String.raw`|[\uFE0F\u20E3]`
  ].join(''),
  'gu'
)

/** The text without emoji. */
export function withoutEmoji(text: string): string {
  return text.replace(EMOJI, '').replace(/ {2,}/g, ' ').trim()
}
