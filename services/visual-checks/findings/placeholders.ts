import type { Sight } from './rule.ts'

const ALWAYS =
  /\[object [A-Z]\w*\]|\{\{[^{}]{0,80}\}\}|\{%[^%]{0,80}%\}|<%[=-]?[^%]{0,80}%>|%%\w{2,40}%%|\$\{[\w.]{1,40}\}|\[\[[\w. ]{1,40}\]\]|__[A-Z][A-Z_]{2,40}__|\blorem ipsum\b|\bInvalid Date\b|\btranslation missing\b|\bLiquid (?:syntax )?error\b|\b(?:Warning|Notice|Fatal error|Parse error|Deprecated): .{3,200} on line \d+/gi
/**
 * A value that is missing, where a value stands: alone, after a label or a mark, before a unit. In
 * a sentence it may be a word.
 */
const EMPTY_VALUE =
  /(?:^|[:·|•(–—,-]\s*|\b(?:[Bb]y|[Oo]n|[Ii]n|[Aa]t|[Ff]rom|[Tt]ags?|[Aa]uthor|[Dd]ate|[Pp]osted|[Pp]ublished|[Uu]pdated|[Cc]ategory)\b\W*|\bundefined\s+)(?:undefined|NaN|null)(?=\s*(?:$|[,.;:·|•)%–—-]|(?:min(?:utes?|s)?|read|views?|comments?|likes?|words?|undefined|NaN|null)\b))/g
/** Longer texts are prose. */
const SHORT = 60

/** How many placeholders and empty values of a template a text has. */
export function placeholdersIn(text: string): number {
  const empty =
    text.trim().length <= SHORT || /\b(?:By|Author|Date|Posted|Tags?)\W+(?:undefined|NaN)/.test(text)
      ? (text.trim().match(EMPTY_VALUE)?.length ?? 0)
      : 0
  return (text.match(ALWAYS)?.length ?? 0) + empty
}

/** How many texts with placeholders stand among our blocks. */
export const placeholdersBetween = ({ facts }: Sight): number =>
  facts.unexpectedTexts.filter(({ scope, inCode, text }) => scope === 'between' && !inCode && placeholdersIn(text) > 0)
    .length
