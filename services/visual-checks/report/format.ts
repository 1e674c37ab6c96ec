import type {
  CheckStatus,
  Confidence,
  FindingCategory,
  FindingLocation,
  Severity,
  VisualCheck,
  VisualFinding
} from '../../../schemas/visual-check.ts'

export const CATEGORY_LABELS: Readonly<Record<FindingCategory, string>> = {
  content: 'Content',
  layout: 'Layout',
  media: 'Images',
  style: 'Style',
  readability: 'Readability',
  metadata: 'Metadata',
  runtime: 'Loading'
}

export const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info'
}

/** Why a finding does not lower the score; null if it does. */
export const CONFIDENCE_LABELS: Readonly<Record<Confidence, string | null>> = {
  certain: null,
  review: 'needs review, not scored',
  flaky: 'seen in one of two runs, not scored'
}

const STATUS_MESSAGES: Readonly<Record<CheckStatus, string>> = {
  queued: 'The check is queued.',
  running: 'The check is running.',
  completed: 'The page has no score.',
  blocked: 'The checker may not access the page.',
  unreachable: 'The page could not be reached.',
  timeout: 'The page did not load in time.',
  failed: 'The check failed.'
}

/** Ratings by lowest score. A finding caps the score: low 97, medium 89, high 70, critical 25. */
const RATINGS: readonly [minimum: number, rating: string][] = [
  [98, 'No visible problems'],
  [90, 'Minor problems'],
  [71, 'Noticeable problems'],
  [26, 'Serious problems'],
  [0, 'Broken']
]

export const NO_FINDINGS = 'No problems found.'

/** The rating of the score, or the reason for a missing score or for a page that was not opened. */
export function formatRating({
  overallScore,
  status,
  reason
}: Pick<VisualCheck, 'overallScore' | 'status' | 'reason'>): string {
  if (overallScore === null || status !== 'completed') return reason ?? STATUS_MESSAGES[status]
  return RATINGS.find(([minimum]) => overallScore >= minimum)![1]
}

/** `3 findings`, `1 place`. */
export const pluralize = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? '' : 's'}`

/** A share as a whole percentage. Only a share of exactly 1 is 100%, and only 0 is 0%. */
function formatPercent(share: number): string {
  const rounded = Math.round(share * 100)
  return `${rounded === 100 && share < 1 ? 99 : rounded === 0 && share > 0 ? 1 : rounded}%`
}

interface CoverageFact {
  label: string
  value: string
  /** The value with what it is a share of. */
  text: string
}

/** How much of the blog is in the page; empty if it was not measured. */
export function formatCoverage({ coverage }: Pick<VisualCheck, 'coverage'>): CoverageFact[] {
  if (coverage === null) return []
  const { measured = 1 } = coverage
  return [
    toFact('text found', coverage.inDom, 'of the text found'),
    toFact('text visible', coverage.visible, 'visible'),
    toFact('blog CSS applied', coverage.cssHeld, "of the blog's CSS applied"),
    ...(measured < 1 ? [toFact('legibility known', measured, 'with known legibility')] : [])
  ]
}

function toFact(label: string, share: number, what: string): CoverageFact {
  const value = formatPercent(share)
  return { label, value, text: `${value} ${what}` }
}

/** The differences from the previous check on one line; null if there was none. */
export function formatDiff({ since, overallScore }: Pick<VisualCheck, 'since' | 'overallScore'>): string | null {
  if (since === null) return null
  const scores =
    since.overallScore === overallScore
      ? 'same score'
      : `score ${since.overallScore ?? 'none'} → ${overallScore ?? 'none'}`
  return [
    `since the previous check: ${scores}`,
    ...(since.appeared.length === 0 ? [] : [`new: ${since.appeared.join(', ')}`]),
    ...(since.gone.length === 0 ? [] : [`fixed: ${since.gone.join(', ')}`])
  ].join(' · ')
}

/** What a finding applies to: viewports, the site's template, the number of places. */
export const formatTags = ({ viewports, scope, count }: VisualFinding): string[] =>
  [
    viewports.join(' and '),
    scope === 'site' ? 'outside the article' : '',
    count > 1 ? pluralize(count, 'place') : ''
  ].filter((tag) => tag !== '')

/** The checker's versions, missing fonts and duration. */
export function formatEnvironment({ checker, timings }: Pick<VisualCheck, 'checker' | 'timings'>): string[] {
  const missing = checker?.fonts.missing ?? []
  return [
    ...(checker === null ? [] : [`checker version ${checker.version}`, `Chromium ${checker.chromium}`]),
    ...(missing.length === 0 ? [] : [`missing fonts: ${missing.join(', ')}`]),
    ...(timings === null ? [] : [`${(timings.totalMs / 1000).toFixed(1)} s`])
  ]
}

/** A timestamp as `2026-11-21 19:04 UTC`. */
export const formatTime = (timestamp: string): string => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`

const MAX_MEASUREMENTS = 6
const MAX_ITEMS = 3
const MAX_CHARACTERS = 90
const MAX_QUOTE_CHARACTERS = 400
const MAX_SELECTOR_CHARACTERS = 120
const MAX_PLACES = 3

/**
 * The first six measurements of a finding, such as `font px` and `9.5`. Findings without places list
 * what they count: errors or URLs. Lists have only the first ones, so the rest is counted.
 */
export function formatEvidence({
  evidence,
  locations,
  count
}: Pick<VisualFinding, 'evidence' | 'locations' | 'count'>): { name: string; value: string }[] {
  const entries = Object.entries(evidence).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const isCounted = (value: unknown) =>
    locations.length === 0 && entries.filter(([, one]) => Array.isArray(one)).length === 1 && Array.isArray(value)
  return entries.slice(0, MAX_MEASUREMENTS).map(([key, value]) => ({
    name: splitWords(key),
    value: isCounted(value) ? formatList(value as unknown[], count) : formatMeasurement(value)
  }))
}

const formatMeasurement = (value: unknown): string =>
  Array.isArray(value) ? formatList(value) : truncate(formatValue(value))

/** The first items, and how many more there are. Only the items are truncated. */
function formatList(items: readonly unknown[], count = items.length): string {
  const shown = items.slice(0, MAX_ITEMS).map((item) => truncate(formatValue(item)))
  const more = Math.max(count, items.length) - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const splitWords = (key: string): string =>
  key
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

function formatValue(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return formatList(value)
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([key, part]) => `${splitWords(key)} ${formatValue(part)}`)
      .join(', ')
  }
  return String(value)
}

/** The expected or the actual text, at most 400 characters. */
export const formatQuote = (text: string): string =>
  text.trim() === '' ? '(nothing)' : truncate(text, MAX_QUOTE_CHARACTERS)

/** Counts code points; truncated text ends with `…`. */
function truncate(text: string, max = MAX_CHARACTERS): string {
  const characters = [...text]
  if (characters.length <= max) return text
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * The first three places of a finding. A place is the same in all viewports. A last entry without a
 * selector counts the remaining places, so that all add up to `count`.
 */
export function formatPlaces({ locations, count }: VisualFinding): { selector: string; detail: string }[] {
  const places = [...Map.groupBy(locations, placeKey).values()]
  const listed = places.slice(0, MAX_PLACES)
  const more = Math.max(places.length, count) - listed.length
  return [
    ...listed.map((group) => ({
      selector: truncate(group[0]!.selector, MAX_SELECTOR_CHARACTERS),
      detail: formatLocation(group)
    })),
    ...(more > 0 && listed.length > 0 ? [{ selector: '', detail: `and ${more} more` }] : [])
  ]
}

/** A selector may match several blocks. */
const placeKey = ({ selector, block }: FindingLocation): string => `${block ?? ''} ${selector}`

/** Such as `mobile 350 × 40 at 20, 300 · block 3`. */
function formatLocation(group: FindingLocation[]): string {
  const boxes = [...Map.groupBy(group, ({ viewport }) => viewport)].map(([viewport, [first]]) => {
    const box = first!.box
    if (box === null) return viewport
    const [width, height, x, y] = [box.width, box.height, box.x, box.y].map(Math.round)
    return `${viewport} ${width} × ${height} at ${x}, ${y}`
  })
  const block = group.find((location) => location.block !== null)?.block
  return [...boxes, ...(block === undefined ? [] : [`block ${block}`])].join(' · ')
}
