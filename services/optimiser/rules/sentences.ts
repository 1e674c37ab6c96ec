import { segmenterFor } from '../../blogs/content/words.ts'
import { forbiddenIn, withoutEmoji } from './forbidden.ts'

/** What fits a description comes from the beginning; more is not looked at. */
const LONGEST_LOOKED_AT = 4_000
const MOST_SENTENCES = 40
const BULLET = /^[\s•·▪▫◦‣*✓✔➤►–—-]+/u
const SENTENCE_END = /[.!?…。！？:：]["'”’»」』)\]]*$/u
const WIDE_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]["'”’»」』)\]]*$/u

/**
 * The sentences of a plain text that may stand in search results: those with an address, a telephone number or a price are left out, emoji are taken out,
 * and lines without an end (headings, lists) get one.
 */
export function sentencesOf (text: string, locale: string): string[] {
  const found: string[] = []
  for (const line of text.slice(0, LONGEST_LOOKED_AT).split('\n')) {
    for (const { segment } of segmenterFor(locale, 'sentence').segment(line)) {
      const sentence = withoutEmoji(segment.replace(BULLET, '')).replace(/\s+/g, ' ').trim()
      if (/[\p{L}\p{N}]/u.test(sentence) && forbiddenIn(sentence).length === 0) found.push(ended(sentence))
      if (found.length === MOST_SENTENCES) return found
    }
  }
  return found
}

/** With a full stop where there is no end yet. */
export function ended (sentence: string): string {
  if (SENTENCE_END.test(sentence)) return sentence
  const bare = sentence.replace(/[\s,;–—-]+$/u, '')
  return bare + (WIDE_END.test(bare) ? '。' : '.')
}

/** Sentences side by side: a space between them, none after the full stop of a wide script. */
export function flowing (sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').reduce((text, sentence) => text === '' || /[。！？]$/u.test(text) ? text + sentence : `${text} ${sentence}`, '')
}
