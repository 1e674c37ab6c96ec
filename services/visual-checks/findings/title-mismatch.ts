import { likeness } from './likeness.ts'
import { normalText } from './normal-text.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const LEAST_LIKENESS = 0.5

export const titleMismatch: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The title of the page does not tell the title of the blog.',
  advice: 'Put the title of the blog into <title>.',
  find
}

function find({ facts: { document }, expected }: Sight): Found | null {
  const title = document.titles[0]?.trim() ?? ''
  if (
    title === '' ||
    normalText(title).includes(normalText(expected.title)) ||
    likeness(title, expected.title) >= LEAST_LIKENESS ||
    isBeginning(title, expected.title)
  ) {
    return null
  }
  return {
    extent: 1,
    places: [],
    evidence: { likeness: rounded(likeness(title, expected.title)) },
    expected: expected.title,
    actual: title.slice(0, 300)
  }
}

/** A long title may be cut at its end. */
function isBeginning(title: string, wanted: string): boolean {
  const cut = normalText(title)
    .split(/\.\.\.| [|·•-] /)[0]!
    .trim()
  return cut.length >= 20 && normalText(wanted).startsWith(cut)
}
