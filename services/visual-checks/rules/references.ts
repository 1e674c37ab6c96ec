import type { AlternateSnapshot, TimeSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { withoutTrailingSlash } from '../../../lib/text.ts'
import { findDates, isOutside, readTimestamp } from './helpers/dates.ts'
import { getMetaContents, isHeadlineOf, parseJsonLd } from './helpers/page.ts'
import type { ExpectedPage, Rule, RuleHit, RuleInput } from './rule.ts'

const FAR_FUTURE = '9999-12-31T00:00:00.000Z'
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

/** Where a page names a date, and how. */
interface NamedDate {
  where: string
  value: string
  readingsMs: number[]
  /** Sites may change a page after the last update of the blog. */
  isModification?: boolean
}

/** The dates that programs read: those of `article:` properties and of the JSON-LD about the blog. */
function getStatedDates({ snapshot, expected }: RuleInput): NamedDate[] {
  const state = (where: string, value: string, isModification: boolean): NamedDate => ({
    where,
    value,
    readingsMs: readTimestamp(value),
    isModification
  })
  const articles = parseJsonLd(snapshot.document.jsonLd).articles.filter(({ headline }) =>
    isHeadlineOf(headline, expected.title)
  )
  return [
    ...getMetaContents(snapshot, 'article:published_time').map((one) => state('article:published_time', one, false)),
    ...getMetaContents(snapshot, 'article:modified_time').map((one) => state('article:modified_time', one, true)),
    ...articles.flatMap(({ datePublished, dateModified }) => [
      ...(datePublished === null ? [] : [state('JSON-LD datePublished', datePublished, false)]),
      ...(dateModified === null ? [] : [state('JSON-LD dateModified', dateModified, true)])
    ])
  ]
}

/** The dates of one text of the byline: that of its attribute, and those that readers see. */
function getShownDates({ datetime, text }: TimeSnapshot, language: string): NamedDate[] {
  const attribute = readTimestamp(datetime)
  return [
    ...(attribute.length > 0 ? [{ where: 'datetime', value: datetime, readingsMs: attribute }] : []),
    ...findDates(text, language).map((readingsMs) => ({ where: 'byline', value: text, readingsMs }))
  ]
}

/**
 * Sites may show the date of the publication, of the last update, or one between them. One right date in
 * the byline is sufficient: the others may be of an event or a comment.
 */
function detectDates({ snapshot, expected }: RuleInput): RuleHit | null {
  const { publishedAt, updatedAt = publishedAt, language } = expected
  if (publishedAt === undefined || updatedAt === undefined) return null
  const isWrong = ({ readingsMs, isModification }: NamedDate): boolean =>
    isOutside(readingsMs, { publishedAt, updatedAt: isModification === true ? FAR_FUTURE : updatedAt })
  const byline = snapshot.times
    .map((time) => ({ ...time, dates: getShownDates(time, language) }))
    .filter(({ dates }) => dates.length > 0)
  const shown = byline.every(({ dates }) => dates.some(isWrong)) ? byline : []
  const wrong = [
    ...shown.flatMap(({ dates }) => dates.filter(isWrong)),
    ...getStatedDates({ snapshot, expected }).filter(isWrong)
  ]
  const [first] = wrong
  if (first === undefined) return null
  return {
    extent: 1,
    places: shown.map(({ selector, box }) => ({ place: { selector, box } })),
    count: wrong.length,
    evidence: { dates: wrong.slice(0, 5).map(({ where, value }) => ({ where, value: value.slice(0, 100) })) },
    expected: publishedAt,
    actual: first.value.slice(0, 300)
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
    version: 2,
    message: 'The date of the page is not the date of the blog.',
    advice: "Use the blog's `publishedAt` in the byline, in `article:published_time` and in the structured data.",
    detect: detectDates
  }
]
