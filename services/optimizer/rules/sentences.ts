import { isWide, segmenterFor, trimEndOf } from '../../../lib/text.ts'
import { withoutCapitalizedRuns } from './capitals.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'
import { headingKind, splitHeading } from './headings.ts'
import { NEVER } from './languages/grammar.ts'
import type { Grammar } from './languages/index.ts'
import { foldedWords } from './words.ts'

/** Only the beginning of a text is considered for a description. */
const MAX_INPUT_CHARACTERS = 4_000
const MAX_SENTENCES = 40
const MAX_ITEMS = 20
/** A line with fewer words and without an end is a heading or a list item. */
const MIN_LINE_WORDS = 6
const MAX_FRAGMENT_WORDS = 4
const MIN_SENTENCE_WORDS = 3
/** Longer values of a label are statements. */
const MAX_LABEL_VALUE_WORDS = 4
/** With a smaller share of words of three letters, a sentence is a row of data. */
const MIN_WORD_SHARE = 0.35

const BULLET = /^(?:[\s•·▪▫◦‣*✓✔✅☑➤►▶★☆◆■●⭐–—-]|\p{Extended_Pictographic}|\uFE0F|(?:\d{1,2}[.)])(?=\s))+\s*/u
const DECORATION = /[★☆✓✔✅☑➤►▶◆■●•▪▫◦‣~*_|#⭐™®]+/gu
const SENTENCE_END = /[.!?…。！？؟]["'”’»」』)\]]*$/u
const WIDE_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]["'”’»」』)\]]*$/u
/** An abbreviation at the end of a segment. The segmenter does not know them. */
const ABBREVIATION_END = new RegExp(
  String.raw`(?:^|[\s(])(?:${[
    String.raw`approx|ca|e\.g|i\.e|incl|excl|max|min|no|nr|st|dr|mr|mrs|vs|inc|co|ltd|dia`,
    String.raw`z\.\s?b|bzw|inkl|art|env|ej|aprox|p\. ?ex|(?<!\p{N}\s)\p{Lu}`
  ].join('|')})\.$`,
  'iu'
)
const BEFORE_DIGIT = /(?<=[\p{L}\p{N}]{3}[.!?] )(?=\p{N})/u
const LABEL = /^(?<name>[^:：.!?]{2,32}?)\s*[:：]\s+(?<value>\S.*)$/u
const WIDE_LABEL = /^(?<name>[^:：。]{1,12})[:：](?<value>.+)$/u
const LABELS_WITHIN = /\p{L}{2}\s*[:：](?:\s|\p{Lu}|\p{N}).*\p{L}{2}\s*[:：](?:\s|\p{Lu}|\p{N})/u
/** What somebody else says about the product, with or without a name. */
const QUOTATION = /^["“„«][^"”“»]{10,}["”“»][.]?(?:\s*[–—-]\s*[\p{Lu}\d][^.]*[.]?)?$/u
/** An identifier such as `TOTE-47-XL`. */
const CODE = /^[(]?[A-Z0-9]+(?:[-/][A-Z0-9]+){2,}[).,]?$/
const BRACKETS: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['“', '”'],
  ['«', '»'],
  ['「', '」']
]

/** A sentence of a product text. */
export interface Sentence {
  text: string
  /** The position among the sentences of the text, dropped ones included. */
  position: number
}

/** What a product text consists of. */
export interface SourceText {
  sentences: Sentence[]
  /** List items that are no sentences, such as `100% cotton`. */
  items: string[]
  /** Rows such as `Material: cotton`. */
  labels: { name: string; value: string }[]
}

export interface ReadingOptions {
  grammar: Grammar
  locale: string
  /** Words that keep their capitals: the title and the brand. */
  spellings: string[]
  /** The title, which is not a statement, and identifiers that no text may contain. */
  title: string
  identifiers: string[]
}

/**
 * Reads a plain text as sentences, list items and labeled values. Headings, notes on orders and
 * delivery, contact data, prices, questions, identifiers and unfinished sentences are dropped.
 */
export function readSource(text: string, options: ReadingOptions): SourceText {
  const source = readLines(text, options)
  const [only, ...others] = source.items
  // A single phrase is all that the text says.
  if (source.sentences.length > 0 || only === undefined || others.length > 0) return source
  return { ...source, sentences: [{ text: withFullStop(capitalizeFirst(only)), position: 0 }], items: [] }
}

function readLines(text: string, options: ReadingOptions): SourceText {
  const source: SourceText = { sentences: [], items: [], labels: [] }
  const input = text.slice(0, MAX_INPUT_CHARACTERS)
  const blocks = input.split(/\n{2,}/)
  // A cut text ends within a sentence.
  if (input.length < text.length) blocks.push(withoutLastLine(blocks.pop()!))
  let position = 0
  for (const block of blocks) {
    const lines = joinWrappedLines(block.split('\n').flatMap(splitList))
    let isAside = false
    for (const line of lines) {
      const kind = headingKind(line.replace(BULLET, ''))
      if (kind !== null) isAside = kind === 'aside'
      if (kind !== null || isAside) continue
      if (source.sentences.length >= MAX_SENTENCES) return source
      position += readLine(line, {
        source,
        options,
        position,
        isSingle: lines.length === 1,
        isOnly: blocks.length === 1
      })
    }
  }
  return source
}

const ENDS = ['.', '!', '?', '。', '！', '？', '\n']

const withoutLastLine = (block: string) => block.slice(0, Math.max(...ENDS.map((end) => block.lastIndexOf(end))) + 1)

/** A list on one line, such as `Steel | 20 cm | 300 g`, as one line for each item. */
function splitList(line: string): string[] {
  const parts = line.split(/ [|•·✓✔►▪] /u)
  return parts.length > 2 ? parts.map((part) => `• ${part}`) : [line]
}

/** Joins the lines of a paragraph that was wrapped at a fixed width. */
function joinWrappedLines(lines: string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const previous = joined.at(-1)
    const continues =
      previous !== undefined && previous.length > 40 && /^\p{Ll}/u.test(line) && !/[.!?:。]$/u.test(previous)
    if (continues) joined[joined.length - 1] = `${previous} ${line}`
    else joined.push(line)
  }
  return joined
}

interface LineContext {
  source: SourceText
  options: ReadingOptions
  position: number
  /** Whether the line is a paragraph, or even the entire text. */
  isSingle: boolean
  isOnly: boolean
}

/** Adds the content of a line. Returns the number of sentences read. */
function readLine(line: string, { source, options, position, isSingle, isOnly }: LineContext): number {
  const hasBullet = BULLET.test(line)
  const { heading, text } = splitHeading(line.replace(BULLET, '').trim())
  let bare = text
  if (bare === '' || /[:：]$/u.test(bare) || headingKind(heading) === 'aside') return 0
  if (heading !== '' && isLabelValue(bare, options)) {
    source.labels.push({ name: heading, value: bare })
    return 0
  }
  const label = (LABEL.exec(bare) ?? (isWide(bare) ? WIDE_LABEL.exec(bare) : null))?.groups
  if (label !== undefined && countWords(label.name!) <= 4) {
    const { name = '', value = '' } = label
    const isStatement = SENTENCE_END.test(value) ? hasVerb(value, options) : !isLabelValue(value, options)
    if (!isStatement) {
      source.labels.push({ name: name.trim(), value: trimEndOf(value.trim(), /[.;]/) })
      return 0
    }
    if (hasBullet || !isSingle) bare = value
  }
  if (!SENTENCE_END.test(bare)) {
    if (hasBullet || !isSingle) {
      const item = cleanItem(bare, options)
      if (item !== null && source.items.length < MAX_ITEMS) source.items.push(item)
      if (countWords(bare) < MIN_LINE_WORDS + 2) return 0
    }
    // A line of a few words is a heading, unless there is nothing else.
    if (countWords(bare) < (isOnly && isSingle ? 3 : MIN_LINE_WORDS) && !isWide(bare)) return 0
  }
  const segments = splitAtEnds(bare, options.locale)
  for (const [i, segment] of segments.entries()) {
    if (addLabel(segment, { source, options })) continue
    const sentence = cleanSentence(segment, options)
    if (sentence !== null && isFragment(sentence, options)) {
      const item = cleanItem(sentence.replace(/\.$/, ''), options)
      if (item !== null && source.items.length < MAX_ITEMS) source.items.push(item)
      continue
    }
    const isRepeated = source.sentences.some(({ text }) => text === sentence)
    if (sentence !== null && !isRepeated) source.sentences.push({ text: sentence, position: position + i })
  }
  return segments.length
}

/** Adds a sentence such as `Weight: 50 g.` to the labels. Returns false if it is none. */
function addLabel(segment: string, { source, options }: Pick<LineContext, 'source' | 'options'>): boolean {
  const text = segment.trim()
  const label = (LABEL.exec(text) ?? (isWide(text) ? WIDE_LABEL.exec(text) : null))?.groups
  if (label === undefined || countWords(label.name!) > 4) return false
  const value = trimEndOf(label.value!, /[.;。]/)
  if (!isLabelValue(value, options) && headingKind(label.name!) !== 'aside') return false
  source.labels.push({ name: label.name!.trim(), value })
  return true
}

/** Whether a value is a few words, or has no verb, as far as that is known: not a statement. */
function isLabelValue(value: string, options: ReadingOptions): boolean {
  if (countWords(value) <= MAX_LABEL_VALUE_WORDS && value.length <= 60) return !SENTENCE_END.test(value)
  return options.grammar.verbs !== NEVER && !isWide(value) && !hasVerb(value, options)
}

const hasVerb = (text: string, { grammar }: ReadingOptions): boolean =>
  grammar.verbs === NEVER || grammar.verbs.test(text)

/** Whether a sentence is a few words without a verb, such as `Frost proof.`, like a list item. */
const isFragment = (sentence: string, { grammar }: ReadingOptions): boolean =>
  grammar.verbs !== NEVER && countWords(sentence) <= MAX_FRAGMENT_WORDS && !grammar.verbs.test(sentence)

function splitAtEnds(line: string, locale: string): string[] {
  const segments: string[] = []
  const found = Array.from(segmenterFor(locale, 'sentence').segment(line), ({ segment }) => segment)
  // The segmenter does not end a sentence before a digit that a small letter follows: `Two beds. 2 m wide.`
  for (const segment of found.flatMap((text) => text.split(BEFORE_DIGIT))) {
    const previous = segments.at(-1)
    if (previous !== undefined && ABBREVIATION_END.test(previous.trimEnd())) segments[segments.length - 1] += segment
    else segments.push(segment)
  }
  return segments
}

/** The sentence as it may be published, or null. */
function cleanSentence(segment: string, options: ReadingOptions): string | null {
  const text = tidy(segment, options)
  if (text === null || /[?？؟:：…]["'”’»」』)\]]*$/u.test(text) || /\.\.\.?$/.test(text)) return null
  if (countWords(text) < (isFragment(text, options) ? 2 : MIN_SENTENCE_WORDS) && !isWide(text)) return null
  if (isDataRow(text)) return null
  return withFullStop(text.replace(/[!！](?=["'”’»」』)\]]{0,3}$)/u, isWide(text) ? '。' : '.'))
}

function cleanItem(item: string, options: ReadingOptions): string | null {
  const text = tidy(item, options)
  return text === null || countWords(text) > 9 || /[:：]|[.;]$/u.test(text) || isBadge(text) ? null : text
}

/** Whether hardly any word is a word of a language, as in `W 180 x D 95 x H 75 cm`. */
function isDataRow(text: string): boolean {
  const words = text.split(/\s+/)
  return !isWide(text) && words.filter((word) => /^["'(“«]*\p{L}{3}/u.test(word)).length < words.length * MIN_WORD_SHARE
}

const isCode = (word: string): boolean => CODE.test(word) && /\d/.test(word) && /[A-Z]/.test(word)

/** A word such as NEW, BIO or SALE. */
const isBadge = (text: string): boolean => countWords(text) <= 2 && !/\p{Ll}|\p{Lo}|\p{N}/u.test(text)

function tidy(segment: string, { grammar, spellings, title, identifiers }: ReadingOptions): string | null {
  if (forbiddenIn(segment).some((kind) => kind !== 'emoji')) return null
  const plain = withoutEmoji(segment)
    .replace(DECORATION, ' ')
    .replace(/([!?])[!?]+/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;!)\]])/g, '')
    .replace(/(?<=\p{Ll}),(?=\p{L})/gu, ', ')
    .trim()
  if (!/\p{L}/u.test(plain) || grammar.service.test(plain) || LABELS_WITHIN.test(plain)) return null
  if (plain.startsWith('※') || QUOTATION.test(plain) || grammar.instruction.test(plain)) return null
  if (identifiers.some((identifier) => plain.includes(identifier)) || plain.split(' ').some(isCode)) return null
  if (BRACKETS.some(([open, close]) => plain.split(open).length !== plain.split(close).length)) return null
  if ((plain.split('"').length - 1) % 2 === 1 && !/\d"/.test(plain)) return null
  const text = capitalizeFirst(withoutCapitalizedRuns(plain, spellings))
  const mayBeTitle = Math.abs(text.length - title.length) < 10
  return mayBeTitle && foldedWords(text) === foldedWords(title) ? null : text
}

/** The text with a capital first letter, except for names such as iPhone. */
export function capitalizeFirst(text: string): string {
  const [first = ''] = text
  return /^\p{Ll}(?!\p{Ll}*\p{Lu})/u.test(text) ? first.toLocaleUpperCase('en') + text.slice(first.length) : text
}

export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Adds a full stop if the sentence has no end. */
export function withFullStop(sentence: string): string {
  if (SENTENCE_END.test(sentence)) return sentence
  const bare = trimEndOf(sentence, /[\s,;:–—-]/u)
  return bare + (WIDE_END.test(bare) ? '。' : '.')
}

/** Joins sentences with a space, except after the full stop of a wide script. */
export function joinSentences(sentences: string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text + sentence : `${text} ${sentence}`), '')
}
