import { findOdd } from './find-odd.ts'
import { wrongCharacters } from './garbled.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const mojibake: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'Letters are shown as wrong characters.',
  advice: 'Serve the page as UTF-8, and read the answer of the API as UTF-8.',
  find
}

function find(sight: Sight): Found | null {
  const page =
    presenceOf(sight) === 'garbled'
      ? wrongCharacters(sight.facts.document.text, sight.facts.blocks.map(({ text }) => text).join(' '))
      : 0
  return findOdd(sight, { count: ({ text, own, inCode }) => (inCode ? 0 : wrongCharacters(text, own)), full: 10, page })
}
