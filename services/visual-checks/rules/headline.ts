import type { HeadingSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { getArticlePlaces } from './helpers/blocks.ts'
import { getTextMatch } from './helpers/text-match.ts'
import { normalizeText, round, textSimilarity } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** The visible h1 elements of a page that lacks the blog's headline. Null if the check is moot. */
function getOtherHeadlines(input: RuleInput): HeadingSnapshot[] | null {
  const { article, document } = input.snapshot
  if (getTextMatch(input) === 'absent' || article === null || article.headlineVisible) return null
  return document.h1s.filter(({ rendered, text }) => rendered && text.trim() !== '')
}

function detectMissing(input: RuleInput): RuleHit | null {
  if (getOtherHeadlines(input)?.length !== 0) return null
  return {
    extent: 1,
    places: getArticlePlaces(input.snapshot),
    evidence: { headings: input.snapshot.document.h1s.length },
    expected: input.expected.title
  }
}

function detectMismatch(input: RuleInput): RuleHit | null {
  const headlines = getOtherHeadlines(input) ?? []
  const title = normalizeText(input.expected.title)
  const [first] = headlines
  if (first === undefined || headlines.some(({ text }) => normalizeText(text).includes(title))) return null
  return {
    extent: 1,
    places: [{ place: { selector: first.selector, box: first.box } }],
    evidence: { likeness: round(textSimilarity(first.text, input.expected.title)) },
    expected: input.expected.title,
    actual: first.text.slice(0, 300)
  }
}

export const headlineRules: readonly Rule[] = [
  {
    code: 'HEADLINE_MISSING',
    category: 'content',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: "The blog's headline is missing.",
    advice: "Show the blog's `title` above its text.",
    detect: detectMissing,
    suppresses: { always: ['H1_MISSING'] }
  },
  {
    code: 'HEADLINE_MISMATCH',
    category: 'content',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: "The headline differs from the blog's title.",
    advice: "Show the blog's `title` unchanged above its text.",
    detect: detectMismatch
  }
]
