import { createHash } from 'node:crypto'
import { VERSION } from '../../../lib/version.ts'
import type { FindingLocation, Severity, VisualCheck, VisualFinding } from '../../../schemas/visual-check.ts'
import { CONFIDENCE_LABELS } from '../../../services/visual-checks/report/format.ts'

const SCHEMA_URL = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note'
}
/** Locations of one result. Code scanning services reject results with more than a few. */
const MAX_LOCATIONS = 10

/**
 * Checks as a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning
 * services read it: a rule for each code, and a result for each finding of a page. Findings that are
 * not scored are results of the kind `review`.
 */
export function toSarif(checks: readonly VisualCheck[]) {
  const rules = [
    ...new Map(checks.flatMap(({ findings }) => findings).map((finding) => [finding.code, finding])).values()
  ]
  const codes = rules.map(({ code }) => code)
  return {
    $schema: SCHEMA_URL,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Visual check',
            version: VERSION,
            rules: rules.map(toRule)
          }
        },
        invocations: checks.map(toInvocation),
        results: checks.flatMap((check) =>
          check.findings.map((finding) => toResult(finding, { check, ruleIndex: codes.indexOf(finding.code) }))
        ),
        columnKind: 'utf16CodeUnits'
      }
    ]
  }
}

const toRule = ({ code, message, advice, severity, category }: VisualFinding) => ({
  id: code,
  shortDescription: { text: message },
  help: { text: advice },
  defaultConfiguration: { level: LEVELS[severity] },
  properties: { category }
})

/** A check without a score was not executed. */
const toInvocation = ({ status, overallScore, reason, url, createdAt, finishedAt }: VisualCheck) => ({
  executionSuccessful: status !== 'failed',
  startTimeUtc: createdAt,
  ...(finishedAt === null ? {} : { endTimeUtc: finishedAt }),
  ...(status === 'failed'
    ? {
        toolExecutionNotifications: [{ level: 'error', message: { text: `${url}: ${reason ?? 'The check failed.'}` } }]
      }
    : {}),
  properties: { url, status, overallScore }
})

function toResult(finding: VisualFinding, { check, ruleIndex }: { check: VisualCheck; ruleIndex: number }) {
  const { code, message, advice, severity, confidence, locations, viewports, count, evidence } = finding
  const uri = toUri(check.finalUrl ?? check.url)
  const places = [...new Map(locations.map((location) => [location.selector, location])).values()]
  return {
    ruleId: code,
    ruleIndex,
    ...(confidence === 'certain' ? { kind: 'fail', level: LEVELS[severity] } : { kind: 'review', level: 'none' }),
    message: { text: [message, advice, CONFIDENCE_LABELS[confidence]].filter((text) => text !== null).join(' ') },
    locations: (places.length === 0 ? [null] : places.slice(0, MAX_LOCATIONS)).map((place) => toLocation(uri, place)),
    partialFingerprints: {
      'pageAndCode/v1': createHash('sha256').update(`${check.url}\n${code}`).digest('hex')
    },
    properties: { checkId: check.id, severity, viewports, count, evidence }
  }
}

const toLocation = (uri: string, place: FindingLocation | null) => ({
  // Services show a result only at a line.
  physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
  ...(place === null ? {} : { logicalLocations: [{ fullyQualifiedName: place.selector, kind: 'element' }] })
})

/** A URL with all characters percent-encoded that RFC 3986 does not allow in URIs. */
const toUri = (url: string): string =>
  (URL.parse(url)?.href ?? url)
    .toWellFormed()
    .replace(/%(?![\dA-Fa-f]{2})/g, '%25')
    .replace(/[^\w.~:/?#[\]@!$&'()*+,;=%-]/gu, encodeURIComponent)
