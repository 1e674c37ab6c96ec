import type { Found, Rule, Sight } from './rule.ts'

/**
 * Old and wide names of the same language
 * (https://www.iana.org/assignments/language-subtag-registry).
 */
const SAME: Readonly<Record<string, string>> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  nb: 'no',
  nn: 'no',
  tl: 'fil',
  cmn: 'zh',
  yue: 'zh'
}
const primary = (tag: string): string => {
  const language = tag.trim().toLowerCase().split(/[-_]/)[0]!
  return SAME[language] ?? language
}

export const langMismatch: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page says that it is in another language than the blog.',
  advice: 'Set lang of <html> to the language of the blog.',
  find
}

function find({ facts: { document }, expected }: Sight): Found | null {
  if (document.lang.trim() === '' || primary(document.lang) === primary(expected.language)) return null
  return { extent: 1, places: [], evidence: {}, expected: expected.language, actual: document.lang.slice(0, 100) }
}
