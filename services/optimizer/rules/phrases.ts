import { languageOf } from '../../../lib/transliterate.ts'
import type { Lengths } from './meta-descriptions.ts'
import { withFullStop } from './sentences.ts'
import { fits, type Room } from './shorten.ts'
import type { Subject } from './subject.ts'
import { containsName, foldedWords, termsOf } from './words.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'

const MIN_ITEMS = 2
const MAX_ITEMS = 5
const MIN_REPEATED_TERMS = 3
const MAX_REPEATED_SHARE = 0.6
/** A longer name leaves too little for what follows it. */
const MAX_LEAD_LENGTH = 70
const MAX_SUBJECT_LENGTH = 45

/**
 * The sentence with the product's name instead of the pronoun at its beginning, or null. Only in
 * English: elsewhere the article depends on the gender of the name.
 */
export function withSubject(sentence: string, { grammar, facts, locale }: Subject): string | null {
  const match = grammar.pronoun.exec(sentence)
  if (match === null || languageOf(locale) !== 'en' || facts.name.length > MAX_SUBJECT_LENGTH) return null
  const name = publishable(facts.name)
  const rest = sentence.slice(match[0].length)
  const { pronoun = '', contracted = '' } = match.groups!
  // "It's been" is "it has been".
  if (name === '' || (contracted !== '' && /^(?:been|got|had|come|become|gone)\b/.test(rest))) return null
  const isPlural = pronoun.toLowerCase() === 'they'
  // The verb agrees with the pronoun, so the name must agree too.
  if (isPlural !== /(?:[^siu]s|ies)$/u.test(name.toLowerCase())) return null
  const verb = contracted === '' ? '' : isPlural ? 'are ' : 'is '
  const article = /^(?:the|a|an|my|your|our|this|\p{N}+)\s/iu.test(name) ? '' : 'The '
  return `${article}${name} ${verb}${rest}`
}

/**
 * Beginnings for a text: the product's name, and the name with what distinguishes the product from
 * its siblings.
 */
export function leadIns({ facts, title, distinguishing, grammar }: Subject): string[] {
  const name = publishable(facts.name) || publishable(title)
  if (name === '' || name.length > MAX_LEAD_LENGTH) return ['']
  const values = distinguishing.filter((value) => publishable(value) === value).slice(0, 2)
  const details = values.length === 0 ? [] : [`${name} (${values.join(', ')})${grammar.colon}`]
  return [`${name}${grammar.colon}`, ...details]
}

/**
 * Beginnings with facts that a text does not state, such as `Mug by Alba in red: `, for a product whose
 * own sentences are those of another one. The longest first.
 */
export function factLeads(subject: Subject, text: string): string[] {
  const { facts, grammar } = subject
  const { brand, color, material, measures } = facts
  const unlessStated = (value: string) => (containsName(text, value) ? '' : value)
  const unstated = {
    ...facts,
    brand: unlessStated(brand),
    color: unlessStated(color),
    material: unlessStated(material),
    measures: measures.filter(({ value }) => !containsName(text, value)),
    category: ''
  }
  return phrasesOf({ ...subject, facts: unstated })
    .filter((phrase) => phrase.length <= MAX_LEAD_LENGTH)
    .map((phrase) => (phrase.includes('。') ? `${phrase}。` : `${phrase}${grammar.colon}`))
}

/** The list items of the text as one sentence after the product's name, as many as fit. */
export function itemSentences({ source, facts, grammar, locale }: Subject, room: Room): string[] {
  const name = publishable(facts.name)
  const listed = foldedWords(name)
  const items = source.items.filter((item) => foldedWords(item) !== listed && !repeats(item, { name, locale }))
  if (name === '' || name.length > MAX_LEAD_LENGTH || items.length < MIN_ITEMS) return []
  const { colon, separator, and } = grammar
  for (let count = Math.min(items.length, MAX_ITEMS); count >= MIN_ITEMS; count--) {
    const phrases = items.slice(0, count).map((item) => asListItem(item, grammar))
    const hasCommas = phrases.some((item) => item.includes(separator.trim()))
    const list = hasCommas ? phrases.join('; ') : `${phrases.slice(0, -1).join(separator)}${and}${phrases.at(-1)}`
    const text = withFullStop(`${name}${colon}${list}`)
    if (fits(text, room)) return [text]
  }
  return []
}

/** Whether most words of an item are those of the name: `brake pad set` of `Front Brake Pads Set`. */
function repeats(item: string, { name, locale }: { name: string; locale: string }): boolean {
  const terms = termsOf(item, locale)
  const stems = termsOf(name, locale).map((term) => term.slice(0, Math.max(3, term.length - 1)))
  const common = terms.filter((term) => stems.some((stem) => term.startsWith(stem)))
  return terms.length >= MIN_REPEATED_TERMS && common.length > terms.length * MAX_REPEATED_SHARE
}

/** Prepositions, and endings of adjectives and participles. */
const GERMAN_SMALL =
  /^(?:Aus|Für|Mit|Ohne|In|Im|Von|Bis|Ab|Auch|Sehr)$|(?:los|lich|bar|ig|isch|sam|haft|frei|fest|dicht|[^u]t)$/u

/** Items begin with a capital; within a sentence only names do. German keeps most of them. */
function asListItem(item: string, { and }: { and: string }): string {
  const word = /^\p{Lu}\p{Ll}+(?=[\s,-]|$)/u.exec(item)?.[0]
  if (word === undefined || (and === ' und ' && !GERMAN_SMALL.test(word))) return item
  return item.charAt(0).toLowerCase() + item.slice(1)
}

/** Phrases of the attributes, the best one first: the longest that fits. */
export function describeFacts(subject: Subject, { room }: Lengths): string[] {
  return phrasesOf(subject)
    .map((text) => withFullStop(text))
    .filter((text) => fits(text, room))
}

function phrasesOf({ facts, grammar, title }: Subject): string[] {
  const name = publishable(facts.name) || publishable(title)
  if (name === '') return []
  const clean = {
    ...facts,
    name,
    brand: publishable(facts.brand),
    color: publishable(facts.color),
    material: publishable(facts.material),
    measures: facts.measures.filter(({ value }) => publishable(value) === value),
    category: publishable(facts.category)
  }
  return grammar.describe(clean).filter((text) => !containsName(name, text))
}

/** The text without emoji; empty if it contains anything that no text may contain. */
function publishable(text: string): string {
  const plain = withoutEmoji(text)
  return forbiddenIn(plain).length === 0 ? plain : ''
}
