import { escapeMarkup } from '../../../lib/html.ts'
import type { VisualCheck, VisualFinding } from '../../../schemas/visual-check.ts'
import { CONFIDENCE_LABELS, formatPlaces, formatRating } from '../../../services/visual-checks/report/format.ts'
import { failureOf } from './result.ts'

/**
 * Checks as JUnit XML, as Jenkins, GitLab and others read it: a test suite for each page, with a test
 * case for its score and one for each finding. They fail if the page fails; findings of a page that
 * passes are in its output. Every element is on one line.
 */
export function renderJunit(checks: readonly VisualCheck[], failUnder: number | null): string[] {
  const suites = checks.map((check) => toSuite(check, failUnder))
  const sum = (key: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((total, suite) => total + suite[key], 0)
  const totals = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Visual checks', ...totals })}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>'
  ]
}

interface Suite {
  tests: number
  failures: number
  errors: number
  skipped: number
  lines: string[]
}

type Result = 'passed' | 'failure' | 'error' | 'skipped'

function toSuite(check: VisualCheck, failUnder: number | null): Suite {
  const failure = failureOf(check, failUnder)
  const scoreResult: Result = failure === null ? 'passed' : check.status === 'failed' ? 'error' : 'failure'
  const cases: { name: string; result: Result; message: string; text: string }[] = [
    { name: 'score', result: scoreResult, message: failure ?? '', text: formatRating(check) },
    ...check.findings.map((finding) => ({
      name: finding.code,
      result: findingResult(finding, failure !== null),
      message: CONFIDENCE_LABELS[finding.confidence] ?? finding.message,
      text: describe(finding)
    }))
  ]
  const count = (result: Result) => cases.filter((one) => one.result === result).length
  const counts = {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped')
  }
  const time = String((check.timings?.totalMs ?? 0) / 1000)
  const head = { name: check.url, ...counts, time, timestamp: check.createdAt.slice(0, 19), hostname: 'localhost' }
  const lines = cases.map(({ name, result, message, text }, index) => {
    const start = `<testcase${attributes({ name, classname: check.url, time: index === 0 ? time : '0' })}>`
    const body =
      result === 'passed'
        ? `<system-out>${escapeXml(text)}</system-out>`
        : result === 'skipped'
          ? `<skipped${attributes({ message })}/>`
          : `<${result}${attributes({ message, type: name })}>${escapeXml(text)}</${result}>`
    return `    ${start}${body}</testcase>`
  })
  return { ...counts, lines: [`  <testsuite${attributes(head)}>`, ...lines, '  </testsuite>'] }
}

function findingResult({ confidence, severity }: VisualFinding, pageFails: boolean): Result {
  if (confidence !== 'certain') return 'skipped'
  return pageFails && severity !== 'info' ? 'failure' : 'passed'
}

const describe = (finding: VisualFinding): string =>
  [
    `${finding.severity}: ${finding.message}`,
    finding.advice,
    ...formatPlaces(finding).map(({ selector, detail }) => `${selector} ${detail}`.trim())
  ].join(' | ')

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

/** XML 1.0 forbids most control characters, even as references. */
const escapeXml = (text: string): string =>
  escapeMarkup(text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'))
