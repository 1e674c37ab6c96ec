/// <reference lib="dom" />
import { compactText } from './text-blocks.ts'

/** A word in a text node of the page, and the letters that the blog has there. */
export interface WordRange {
  node: Text
  start: number
  end: number
  text: string
}

/**
 * The blog's characters for each character of the page's text nodes, where the page has the same letters
 * in another form: in another case, in full width, as a ligature. Quotes, dashes and spaces may differ:
 * sites replace them. Empty if the texts cannot be aligned.
 */
export function lettersOf(own: string, nodes: Text[]): Map<Text, string[]> {
  const letters = new Map<Text, string[]>()
  const forms = new Map<string, string[]>()
  const formsOf = (character: string): string[] => {
    const known = forms.get(character) ?? [...compactText(character)]
    forms.set(character, known)
    return known
  }
  const folded = [...own].flatMap((character, source) => formsOf(character).map((one) => ({ one, character, source })))
  let [at, drawn] = [0, -1]
  for (const node of nodes) {
    const line: string[] = []
    for (const character of node.data) {
      const compact = formsOf(character)
      const others = folded.slice(at, at + compact.length)
      if (others.map(({ one }) => one).join('') !== compact.join('')) return new Map()
      at += compact.length
      // A ligature of the blog may be several characters of the page, or the other way around.
      const sources = others.filter(({ source }, index) => source > drawn && source !== others[index - 1]?.source)
      drawn = others.at(-1)?.source ?? drawn
      const written = sources.map((one) => one.character).join('')
      const isLetter = /[\p{L}\p{Nd}]/u.test(character) && /^[\p{L}\p{M}\p{Nd}]*$/u.test(written)
      const expected = isLetter ? written : character
      line.push(expected, ...Array.from({ length: character.length - 1 }, () => ''))
    }
    letters.set(node, line)
  }
  return at === folded.length ? letters : new Map()
}

/**
 * The words of some text nodes. In text from right to left, words are runs of letters, because
 * the place of punctuation depends on the rest of the line. Chinese and Japanese have runs of
 * characters; in justified lines, each character by itself. Emoji have colors of their own and are
 * left out.
 */
export function wordsOf(nodes: Text[], letters: Map<Text, string[]>): WordRange[] {
  const whole = nodes.map(({ data }) => data).join('')
  const isBidirectional =
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(whole) ||
    nodes.some(({ parentElement }) => parentElement !== null && getComputedStyle(parentElement).direction === 'rtl')
  const emoji = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f|\u20e3/u
  const words: WordRange[] = []
  for (const [index, node] of nodes.entries()) {
    const host = node.parentElement
    if (host === null) continue
    const isJustified = /justify/.test(getComputedStyle(host).textAlign)
    const pattern = isBidirectional
      ? /[\u200c\u200d]?(?:\p{L}[\p{L}\p{M}\u200c\u200d]*|\p{N}+)/gu
      : isJustified
        ? /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]|[!-\u2fff\uac00-\ud7ff]+/gu
        : /\S+/gu
    const expected = letters.get(node)
    for (const match of node.data.matchAll(pattern)) {
      if (emoji.test(match[0])) continue
      const [start, end] = [match.index, match.index + match[0].length]
      let text = expected === undefined ? match[0] : expected.slice(start, end).join('')
      if (isBidirectional) text = joinedText(text, { node, start, end, nodes, index })
      words.push({ node, start, end, text })
    }
  }
  return words
}

/**
 * Adds joiners to a part of an Arabic word whose rest is in a neighboring text node, so that its
 * letters keep their forms.
 */
export function joinedText(
  text: string,
  { node, start, end, nodes, index }: { node: Text; start: number; end: number; nodes: Text[]; index: number }
): string {
  const isJoining = (character: string | undefined): boolean =>
    character !== undefined && /[\u0620-\u064a\u0671-\u06d3\u06fa-\u06ff\u0710-\u077f]/.test(character)
  const before = start === 0 ? nodes[index - 1]?.data.at(-1) : undefined
  const after = end === node.data.length ? nodes[index + 1]?.data[0] : undefined
  return `${isJoining(before) ? '\u200d' : ''}${text}${isJoining(after) ? '\u200d' : ''}`
}
