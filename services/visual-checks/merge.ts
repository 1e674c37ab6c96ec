import {
  SEVERITIES,
  type Confidence,
  type FindingCategory,
  type FindingLocation,
  type Severity,
  type ViewportName,
  type VisualFinding
} from '../../schemas/visual-check.ts'
import { RULES, type FindingCode } from './findings/index.ts'
import type { Found } from './findings/rule.ts'
import { inQuarters } from './score.ts'

/** What a rule found in a viewport, with what the rule adds to it. */
export interface Charge extends Found {
  code: FindingCode
  category: FindingCategory
  severity: Severity
  confidence: Confidence
  scope: 'article' | 'site'
  viewport: ViewportName
}

const MOST_LOCATIONS = 40

const byWeight = (a: Charge, b: Charge): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  b.extent - a.extent ||
  (a.viewport < b.viewport ? -1 : 1)

function mergeOne(code: FindingCode, charges: readonly Charge[]): VisualFinding {
  const certain = charges.filter(({ confidence }) => confidence === 'certain')
  const told = certain.length > 0 ? certain : charges
  const [worst] = told.toSorted(byWeight)
  const { category, severity, confidence, scope, evidence, expected, actual } = worst!
  const { message, advice } = RULES[code]
  return {
    code,
    category,
    severity,
    confidence,
    message,
    advice,
    scope,
    evidence,
    viewports: [...new Set(told.map(({ viewport }) => viewport))].sort((a, b) => (a < b ? 1 : -1)),
    extent: inQuarters(Math.max(...told.map(({ extent }) => extent))),
    count: Math.max(1, ...told.map(({ count, places }) => count ?? places.length)),
    locations: told
      .toSorted(byWeight)
      .flatMap(({ viewport, places }) =>
        places.map(({ place: { selector, box }, block }) => ({ viewport, selector, box, block: block ?? null }))
      ),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual })
  }
}

/** One finding a code: the same charges in whatever order give the same findings. */
export function merge(charges: readonly Charge[]): VisualFinding[] {
  return inOrder([...Map.groupBy(charges, ({ code }) => code)].map(([code, some]) => mergeOne(code, some)))
}

/**
 * The worst first, then by code. All together name 40 places at most, and each keeps its first
 * ones.
 */
export function inOrder(findings: readonly VisualFinding[]): VisualFinding[] {
  return limited(
    findings.toSorted(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.code < b.code ? -1 : 1)
    )
  )
}

/** Places are given out by turns. */
function limited(findings: readonly VisualFinding[]): VisualFinding[] {
  const kept = findings.map((): FindingLocation[] => [])
  const longest = Math.max(0, ...findings.map(({ locations }) => locations.length))
  let left = MOST_LOCATIONS
  for (let turn = 0; turn < longest && left > 0; turn++) {
    for (const [at, { locations }] of findings.entries()) {
      if (turn < locations.length && left-- > 0) kept[at]!.push(locations[turn]!)
    }
  }
  return findings.map((finding, at) => ({ ...finding, locations: kept[at]! }))
}
