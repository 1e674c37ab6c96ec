import {
  SEVERITIES,
  type Confidence,
  type FindingCategory,
  type FindingLocation,
  type Severity,
  type ViewportName,
  type VisualFinding
} from '../../schemas/visual-check.ts'
import type { FindingCode } from './rules/codes.ts'
import { getRule } from './rules/index.ts'
import type { RuleHit } from './rules/rule.ts'
import { roundToQuarters } from './score.ts'

/** A rule's hit in one viewport, completed with the rule's defaults. */
export interface ViewportHit extends RuleHit {
  code: FindingCode
  category: FindingCategory
  severity: Severity
  confidence: Confidence
  scope: 'article' | 'site'
  viewport: ViewportName
}

/** Locations of all findings together. */
const MAX_LOCATIONS = 40

const bySeverity = (a: ViewportHit, b: ViewportHit): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  b.extent - a.extent ||
  (a.viewport < b.viewport ? -1 : 1)

/** Merges hits into one finding for each code. The order of the hits does not matter. */
export function mergeHits(hits: readonly ViewportHit[]): VisualFinding[] {
  const groups = [...Map.groupBy(hits, ({ code }) => code)]
  return sortFindings(groups.map(([code, group]) => mergeGroup(code, group)))
}

function mergeGroup(code: FindingCode, all: readonly ViewportHit[]): VisualFinding {
  const certain = all.filter(({ confidence }) => confidence === 'certain')
  const hits = (certain.length > 0 ? certain : all).toSorted(bySeverity)
  const rule = getRule(code)
  const { category, severity, confidence, scope, evidence, expected, actual } = hits[0]!
  const { message = rule.message, advice = rule.advice } = hits[0]!
  return {
    code,
    category,
    severity,
    confidence,
    message,
    advice,
    scope,
    evidence,
    viewports: [...new Set(hits.map(({ viewport }) => viewport))].sort((a, b) => (a < b ? 1 : -1)),
    extent: roundToQuarters(Math.max(...hits.map(({ extent }) => extent))),
    count: Math.max(1, countPlaces(hits), ...hits.map(({ count }) => count ?? 0)),
    locations: hits.flatMap(({ viewport, places }) =>
      places.map(({ place: { selector, box }, block }) => ({ viewport, selector, box, block: block ?? null }))
    ),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual })
  }
}

/** The number of different places in all viewports together. */
const countPlaces = (hits: readonly ViewportHit[]): number =>
  new Set(hits.flatMap(({ places }) => places.map(({ place, block }) => `${block ?? ''} ${place.selector}`))).size

/** Sorts findings by severity, then by code, and limits their locations to 40 together. */
export function sortFindings(findings: readonly VisualFinding[]): VisualFinding[] {
  return limitLocations(
    findings.toSorted(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.code < b.code ? -1 : 1)
    )
  )
}

/** Distributes the locations in turn, so that every finding keeps its first ones. */
function limitLocations(findings: readonly VisualFinding[]): VisualFinding[] {
  const limited = findings.map((): FindingLocation[] => [])
  const longest = Math.max(0, ...findings.map(({ locations }) => locations.length))
  let left = MAX_LOCATIONS
  for (let turn = 0; turn < longest && left > 0; turn++) {
    for (const [at, { locations }] of findings.entries()) {
      if (turn < locations.length && left-- > 0) limited[at]!.push(locations[turn]!)
    }
  }
  return findings.map((finding, at) => ({ ...finding, locations: limited[at]! }))
}
