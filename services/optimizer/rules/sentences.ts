import { forbiddenIn, withoutEmoji } from './forbidden.ts'
import { segmenterFor } from '../../../lib/text.ts'

/** What fits a description comes from the beginning; more is not looked at. */
const LONGEST_LOOKED_AT = 4_000
const MOST_SENTENCES = 40
const BULLET = /^[\s•·▪▫◦‣*✓✔➤►–—-]+/u
const SENTENCE_END = /[.!?…。！？:：]["'”’»」』)\]]*$/u
const WIDE_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]["'”’»」』)\]]*$/u

/**
 * The sentences of a plain text that may stand in search results: those with an address, a
 * telephone number or a price are left out, emoji are taken out,
 * and lines without an end (headings, lists) get one.
 */
export function sentencesOf(text: string, locale: string): string[] {
  const found: string[] = []
  const looked = text.slice(0, LONGEST_LOOKED_AT)
  // Most texts hold nothing of the kind, and one look at the whole is cheaper than one at each
  // sentence.
  const suspicious = forbiddenIn(looked).length > 0
  for (const line of looked.split('\n')) {
    for (const { segment } of segmenterFor(locale, 'sentence').segment(line)) {
      const bare = segment.replace(BULLET, '').replace(/\s+/g, ' ').trim()
      const sentence = suspicious ? withoutEmoji(bare) : bare
      if (/[\p{L}\p{N}]/u.test(sentence) && (!suspicious || forbiddenIn(sentence).length === 0)) {
        found.push(ended(sentence))
      }
      if (found.length === MOST_SENTENCES) return found
    }
  }
  return found
}

/** With a full stop where there is no end yet. */
export function ended(sentence: string): string {
  if (SENTENCE_END.test(sentence)) return sentence
  const bare = sentence.replace(/[\s,;–—-]+$/u, '')
  return bare + (WIDE_END.test(bare) ? '。' : '.')
}

/** Sentences side by side: a space between them, none after the full stop of a wide script. */
export function flowing(sentences: string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text + sentence : `${text} ${sentence}`), '')
}
