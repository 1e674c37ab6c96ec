import { foldText } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { shorterSentences } from './clauses.ts'
import type { Lengths } from './meta-descriptions.ts'
import { namesProduct } from './names.ts'
import { factLeads, itemSentences, leadIns, withSubject } from './phrases.ts'
import { joinSentences } from './sentences.ts'
import { fits, pixelWidth } from './shorten.ts'
import { NEVER } from './languages/grammar.ts'
import type { Subject } from './subject.ts'

/** Sentences that are combined, and the most promising ones from which they are chosen. */
const MAX_COMBINED = 3
const MAX_CHOSEN_FROM = 7
/** A longer text without a known verb is a sentence all the same. */
const MAX_FRAGMENT_LENGTH = 60
const MAX_CANDIDATES = 12
const MAX_WITH_FACTS = 3
/** A text that says much less than the best one is not taken, even if it is the only unique one. */
const MAX_LOSS = 1.6

/** Points of a sentence. The sum decides between sentences that fit. */
const POINTS = {
  mainWord: 0.8,
  opening: 0.35,
  use: 0.3,
  position: -0.03,
  shortened: -0.12,
  withoutModifier: -0.5,
  renamed: -0.1,
  company: -0.8,
  vague: -0.45,
  care: -0.8,
  fragment: -0.5,
  /** For a text of no length at all, in relation to the minimum. */
  tooShort: -2.5,
  /** Between the minimum and the length of a full description. */
  short: -0.5,
  lead: -0.45,
  /** For a text that begins neither with the name nor names the product elsewhere. */
  unnamed: -0.7
}

/** The list items of a text begin with the product's name, so they come first. */
const LIST_POSITION = -1

/** A sentence, or a shorter form of it, that a description may contain. */
interface Option {
  text: string
  position: number
  points: number
  /** Bits of the kinds of use that it states. */
  uses: number
  naming: boolean
  /** Whether the product's name replaces a pronoun: only at the beginning of a text. */
  renamed: boolean
  /** Whether it needs the sentence before it, or any sentence on the product. */
  needs: 'nothing' | 'previous' | 'product'
  width: number
}

interface Combination {
  options: Option[]
  lead: string
  points: number
}

/**
 * Combinations of whole sentences that fit, best first: those that name the product and say most on
 * its material, size, use, benefits and audience. Sentences stay in their order. A sentence that
 * refers to another one is used only with it. If no sentence names the product, the text begins with
 * its name.
 */
export function* selectSentences(subject: Subject, lengths: Lengths): Generator<string> {
  const options = createOptions(subject, lengths)
  let combinations = combine(options, subject, lengths)
  // The product's name before "It …" is better than no sentence at all.
  if (combinations.length === 0) {
    combinations = combine(
      options.map((option) => {
        const { reference, dependent } = subject.grammar
        if (reference.test(option.text)) return { ...option, needs: 'product' }
        return dependent.test(option.text) ? option : { ...option, needs: 'nothing' }
      }),
      subject,
      lengths
    )
  }
  const [best, ...others] = combinations.sort((a, b) => b.points - a.points)
  if (best === undefined) return
  yield toText(best, subject)
  const isShort = toText(best, subject).length < lengths.min
  const seen = new Set([sentencesOf(best)])
  const acceptable = others
    .filter((combination) => {
      if (combination.points <= best.points - MAX_LOSS) return false
      // Other forms of the same sentences are hardly different texts.
      const key = sentencesOf(combination)
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, MAX_CANDIDATES)
    .filter((combination) => isShort || toText(combination, subject).length >= lengths.min)
  for (const combination of acceptable) yield toText(combination, subject)
  for (const combination of [best, ...acceptable.slice(0, MAX_WITH_FACTS)]) {
    yield* withFacts(combination, subject, lengths)
  }
}

/** The texts of a combination that begin with facts instead of the product's name. */
function* withFacts({ lead, options }: Combination, subject: Subject, { room }: Lengths): Generator<string> {
  const [first, ...others] = options
  const isList = first!.position === LIST_POSITION
  if (lead === '' && !isList) return
  const [name = ''] = leadIns(subject)
  const own = isList && first!.text.startsWith(name) ? { ...first!, text: first!.text.slice(name.length) } : first!
  for (const facts of factLeads(subject, toText({ lead: '', options: [own, ...others] }, subject))) {
    const text = toText({ lead: facts, options: [own, ...others] }, subject)
    if (fits(text, room)) yield text
  }
}

const sentencesOf = ({ lead, options }: Combination): string =>
  [lead, ...options.map(({ position }) => position)].join()

function createOptions(subject: Subject, { room }: Lengths): Option[] {
  const { source, grammar } = subject
  const sentences = source.sentences.map(({ text, position }) => ({
    position,
    forms: [
      { text, penalty: 0 },
      ...shorterSentences(text, grammar, (begin) => namesProduct(begin, subject)).map((shorter) => ({
        text: shorter.text,
        penalty: shorter.loss === 'clause' ? POINTS.shortened : POINTS.withoutModifier
      }))
    ]
  }))
  /** Whether a pronoun at the beginning means the product, and not something that the text named before. */
  const isOnProduct = (position: number): boolean => {
    const previous = source.sentences.findLast((sentence) => sentence.position < position)
    return previous === undefined || namesProduct(previous.text, subject) || grammar.reference.test(previous.text)
  }
  for (const text of itemSentences(subject, room)) {
    sentences.push({ position: LIST_POSITION, forms: [{ text, penalty: POINTS.fragment + POINTS.lead }] })
  }
  return sentences
    .flatMap(({ position, forms }) =>
      forms
        .flatMap(({ text, penalty }) => {
          const renamed = isOnProduct(position) ? withSubject(text, subject) : null
          return renamed === null
            ? [toOption(text, { position, penalty, subject, isOnProduct: isOnProduct(position) })]
            : [
                toOption(text, { position, penalty, subject, isOnProduct: isOnProduct(position) }),
                {
                  ...toOption(renamed, {
                    position,
                    penalty: penalty + POINTS.renamed,
                    subject,
                    isOnProduct: true
                  }),
                  renamed: true
                }
              ]
        })
        .filter(({ text, width }) => text.length <= room.maxCharacters && width <= room.maxPx)
    )
    .sort((a, b) => b.points - a.points)
}

function toOption(
  text: string,
  {
    position,
    penalty,
    subject,
    isOnProduct
  }: { position: number; penalty: number; subject: Subject; isOnProduct: boolean }
): Option {
  const { grammar } = subject
  const naming = namesProduct(text, subject)
  const uses = grammar.uses.reduce((bits, use, i) => (use.test(text) ? bits | (1 << i) : bits), 0)
  const points =
    penalty +
    (position === 0 ? POINTS.opening : 0) +
    countBits(uses) * POINTS.use +
    Math.min(position, 20) * POINTS.position +
    (grammar.company.test(text) ? POINTS.company : 0) +
    (grammar.vague.test(text) ? POINTS.vague : 0) +
    (grammar.care.test(text) ? POINTS.care : 0)
  const isDependent = grammar.dependent.test(text) && !(naming && grammar.demonstrative.test(text))
  const refers = isDependent ? grammar.reference.test(text) : !naming && grammar.innerPronoun.test(text)
  const needs = !isDependent && !refers ? 'nothing' : refers && isOnProduct ? 'product' : 'previous'
  return { text, position, points, uses, naming, needs, renamed: false, width: pixelWidth(text, 14) }
}

/** All combinations that fit. */
function combine(options: Option[], subject: Subject, lengths: Lengths): Combination[] {
  const positions = [...new Set(options.map(({ position }) => position))].slice(0, MAX_CHOSEN_FROM)
  const considered = options
    .filter(({ position }) => positions.includes(position))
    .sort((a, b) => a.position - b.position)
  const results: Combination[] = []
  const leads = leadIns(subject)
  const extend = (chosen: Option[]): void => {
    if (chosen.length > 0) {
      for (const combination of rate(chosen, { leads, subject, lengths })) results.push(combination)
    }
    if (chosen.length === MAX_COMBINED) return
    const last = chosen.at(-1)
    const length = chosen.reduce((sum, { text }) => sum + text.length + 1, 0)
    for (const option of considered) {
      if (last !== undefined && option.position <= last.position) continue
      if (length + option.text.length > lengths.room.maxCharacters) continue
      extend([...chosen, option])
    }
  }
  extend([])
  return results
}

function rate(
  chosen: Option[],
  { leads, subject, lengths }: { leads: string[]; subject: Subject; lengths: Lengths }
): Combination[] {
  const [first, ...others] = chosen as [Option, ...Option[]]
  if (first.needs === 'previous') return []
  const isConnected = others.every(
    ({ needs, position, renamed }, i) =>
      !renamed && (needs === 'nothing' || needs === 'product' || chosen[i]!.position === position - 1)
  )
  if (!isConnected) return []
  const uses = chosen.reduce((bits, option) => bits | option.uses, 0)
  const naming = chosen.some((option) => option.naming)
  const points =
    chosen.reduce((sum, option) => sum + option.points - countBits(option.uses) * POINTS.use, 0) /
      Math.sqrt(chosen.length) +
    countBits(uses) * POINTS.use
  const hasName = naming && first.needs === 'nothing'
  const beginnings = hasName ? leads.slice(1) : leads.filter((lead) => lead !== '')
  return ['', ...beginnings]
    .filter((lead) => (lead === '' ? first.needs === 'nothing' : first.position !== LIST_POSITION))
    .map((lead) => {
      const text = toText({ lead, options: chosen }, subject)
      const namePoints = lead === '' ? (naming ? 0 : POINTS.unnamed) : POINTS.lead * (leads.indexOf(lead) + 1)
      const wordPoints = naming || lead !== '' ? POINTS.mainWord : 0
      return {
        text,
        combination: {
          options: chosen,
          lead,
          points: points + lengthPoints(text, lengths) + namePoints + wordPoints
        }
      }
    })
    .filter(({ text }) => text.length <= lengths.room.maxCharacters && pixelWidth(text, 14) <= lengths.room.maxPx)
    .map(({ combination }) => combination)
}

function lengthPoints({ length }: string, { min, good }: Lengths): number {
  if (length < min) return POINTS.short + (POINTS.tooShort * (min - length)) / min
  return length < good ? (POINTS.short * (good - length)) / (good - min) : 0
}

function toText({ lead, options }: Pick<Combination, 'lead' | 'options'>, { grammar, locale }: Subject): string {
  const text = joinSentences(options.map((option) => option.text))
  if (lead === '') return text
  const isFragment = text.length < MAX_FRAGMENT_LENGTH && grammar.verbs !== NEVER && !grammar.verbs.test(text)
  return lead + (grammar.lowersAfterColon || isFragment ? withSmallInitial(text, locale) : text)
}

/** Only function words: others may be names. */
function withSmallInitial(text: string, locale: string): string {
  const word = /^\p{Lu}\p{Ll}*(?=[ '’])/u.exec(text)?.[0]
  const isFunctionWord = word !== undefined && stopWordsFor(locale).has(foldText(word))
  return isFunctionWord ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1
  return count
}
