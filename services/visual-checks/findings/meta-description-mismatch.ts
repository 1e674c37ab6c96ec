import { tells } from './likeness.ts'
import { metasOf } from './metas-of.ts'
import { normalText } from './normal-text.ts'
import type { Found, Rule, Sight } from './rule.ts'

/** A description may be cut at its end. */
const isCut = (text: string, whole: string): boolean => {
  const cut = normalText(text).replace(/\.{3}$/, '')
  return cut.length >= 40 && normalText(whole).startsWith(cut)
}

export const metaDescriptionMismatch: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The description of the page is not that of the blog.',
  advice: 'Put the metaDescription of the blog into <meta name="description">.',
  find
}

function find({ facts, expected }: Sight): Found | null {
  const [description] = metasOf(facts, 'description')
  if (
    description === undefined ||
    expected.metaDescription === '' ||
    tells(description, expected.metaDescription) ||
    isCut(description, expected.metaDescription)
  ) {
    return null
  }
  return { extent: 1, places: [], evidence: {}, expected: expected.metaDescription, actual: description.slice(0, 300) }
}
