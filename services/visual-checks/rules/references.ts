import type { AlternateSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { withoutTrailingSlash } from '../../../lib/text.ts'
import { getMetaContents } from './helpers/page.ts'
import type { ExpectedPage, Rule, RuleHit, RuleInput } from './rule.ts'

const UNFILLED = /%7B%7B|\{\{|\b(?:undefined|null|NaN)\b/

const getLastSegment = (url: string): string => withoutTrailingSlash(new URL(url).pathname).split('/').at(-1)!

/** What is wrong with an hreflang link. A site may have other paths, but not other slugs. */
function getAlternateProblem({ hreflang, href }: AlternateSnapshot, expected: ExpectedPage): string | null {
  if (UNFILLED.test(href)) return 'unfilled'
  if (!URL.canParse(href)) return 'relative'
  const translation = expected.translations?.find((one) => one.hreflang.toLowerCase() === hreflang.toLowerCase())
  if (translation?.url == null || !URL.canParse(translation.url)) return null
  return getLastSegment(translation.url) === getLastSegment(href) ? null : 'another page'
}

function detectAlternates({ snapshot: { alternates }, expected }: RuleInput): RuleHit | null {
  const bad = alternates
    .map((alternate) => ({ ...alternate, problem: getAlternateProblem(alternate, expected) }))
    .filter(({ problem }) => problem !== null)
  const [first] = bad
  if (first === undefined) return null
  const wanted = expected.translations?.find(({ hreflang }) => hreflang === first.hreflang)?.url
  return {
    extent: bad.length / alternates.length,
    places: [],
    count: bad.length,
    evidence: { links: bad.slice(0, 5).map((one) => ({ ...one, href: one.href.slice(0, 300) })) },
    actual: first.href.slice(0, 300),
    ...(wanted == null ? {} : { expected: wanted })
  }
}

const HOUR_MS = 3_600_000
/** Dates without a time are days of any time zone. */
const TOLERANCE_MS = 36 * HOUR_MS

/**
 * Whether a date is neither that of the publication nor one between it and the last update. Sites
 * may show either.
 */
function isWrongDate(value: string, { publishedAt, updatedAt }: { publishedAt: string; updatedAt: string }): boolean {
  const ms = Date.parse(value)
  if (!/\d{4}/.test(value) || Number.isNaN(ms)) return false
  return ms < Date.parse(publishedAt) - TOLERANCE_MS || ms > Date.parse(updatedAt) + TOLERANCE_MS
}

function detectDates({ snapshot, expected }: RuleInput): RuleHit | null {
  const { publishedAt, updatedAt = publishedAt } = expected
  if (publishedAt === undefined || updatedAt === undefined) return null
  const isWrong = (value: string): boolean => isWrongDate(value, { publishedAt, updatedAt })
  const times = snapshot.times.filter(({ datetime }) => isWrong(datetime))
  // One right date is sufficient: the others may be of an event or a comment.
  const shown = times.length === snapshot.times.length ? times : []
  const metas = getMetaContents(snapshot, 'article:published_time').filter(isWrong)
  const dates = [...shown.map(({ datetime }) => datetime), ...metas]
  const [first] = dates
  if (first === undefined) return null
  return {
    extent: 1,
    places: shown.map(({ selector, box }) => ({ place: { selector, box } })),
    count: dates.length,
    evidence: { dates: dates.slice(0, 5) },
    expected: publishedAt,
    actual: first
  }
}

/** Translations and dates. */
export const referenceRules: readonly Rule[] = [
  {
    code: 'HREFLANG_INVALID',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'An `hreflang` link is relative, unfilled or leads to another page than the translation.',
    advice: "Use the absolute URLs in the blog's `translations`, or those of the translated pages of the site.",
    detect: detectAlternates
  },
  {
    code: 'DATE_MISMATCH',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The date of the page is not the date of the blog.',
    advice: "Use the blog's `publishedAt` in the byline and in `article:published_time`.",
    detect: detectDates
  }
]
