import {
  FINDING_CATEGORIES,
  SEVERITIES,
  type Severity,
  type VisualCheck,
  type VisualFinding
} from '../../../schemas/visual-check.ts'
import {
  CATEGORY_LABELS,
  CONFIDENCE_LABELS,
  formatCoverage,
  formatDiff,
  formatEnvironment,
  formatEvidence,
  formatPlaces,
  formatQuote,
  formatTags,
  formatRating,
  NO_FINDINGS,
  SEVERITY_LABELS
} from '../../../services/visual-checks/report/format.ts'
import { columnWidth, createPaint, sanitize, wrap, type Paint, type Style } from './terminal.ts'

const WIDTH = 92
const BAR_WIDTH = 30

/**
 * A visual check as lines for a terminal of at least 92 columns: the score, the categories, and the
 * findings by severity. With `colors`, ANSI styles are the only control characters.
 */
export function renderTextReport(check: VisualCheck, { colors = false }: { colors?: boolean } = {}): string[] {
  const paint = createPaint(colors)
  const hasNoFindings = check.status === 'completed' && check.findings.length === 0
  return [
    ...renderHeader(check, paint),
    ...renderCategories(check, paint),
    ...SEVERITIES.flatMap((severity) => renderSeverity(check, severity, paint)),
    ...(hasNoFindings ? ['', NO_FINDINGS] : []),
    ...renderFooter(check, paint)
  ]
}

const muted = (text: string, paint: Paint): string[] => wrap(text, WIDTH).map((line) => paint(line, 'muted'))

/** Facts on as few lines as possible. A fact that is not longer than a line is not broken. */
function mutedFacts(facts: readonly string[], paint: Paint): string[] {
  const lines: string[] = []
  for (const fact of facts) {
    const longer = lines.length === 0 ? fact : `${lines.at(-1)!} · ${fact}`
    if (lines.length > 0 && columnWidth(longer) > WIDTH) lines.push(fact)
    else lines[Math.max(lines.length - 1, 0)] = longer
  }
  return lines.flatMap((line) => muted(line, paint))
}

function renderHeader(check: VisualCheck, paint: Paint): string[] {
  const { url, finalUrl, overallScore, status, environment } = check
  const score = overallScore === null ? 'no score' : `${overallScore} of 100`
  const [first, ...rest] = wrap(formatRating(check), WIDTH - score.length - 3)
  const diff = formatDiff(check)
  const facts = [
    `Environment: ${environment}`,
    ...(status === 'completed' ? [] : [`status: ${status}`]),
    ...formatCoverage(check).map(({ text }) => text)
  ]
  return [
    ...wrap(url, WIDTH).map((line) => paint(line, 'bold')),
    ...(finalUrl !== null && finalUrl !== url ? muted(`redirected to ${finalUrl}`, paint) : []),
    '',
    `${paint(score, scoreStyle(overallScore))}   ${first}`,
    ...rest.map((line) => `${' '.repeat(score.length + 3)}${line}`),
    ...mutedFacts(facts, paint),
    ...(diff === null ? [] : muted(diff, paint))
  ]
}

const scoreStyle = (score: number | null): Style =>
  score === null ? 'bold' : score >= 90 ? 'good' : score > 70 ? 'medium' : 'critical'

function renderCategories({ categories }: VisualCheck, paint: Paint): string[] {
  if (categories === null) return []
  const lines = FINDING_CATEGORIES.map((category) => {
    const score = categories[category]
    const filled = Math.floor((BAR_WIDTH * score) / 100) // Only a score of 100 fills the bar.
    const bar = paint('█'.repeat(filled), scoreStyle(score)) + paint('░'.repeat(BAR_WIDTH - filled), 'muted')
    return `${CATEGORY_LABELS[category].padEnd(12)} ${bar} ${String(score).padStart(4)}`
  })
  return ['', ...lines]
}

function renderSeverity({ findings }: VisualCheck, severity: Severity, paint: Paint): string[] {
  const group = findings
    .map((finding, index) => ({ finding, number: index + 1 }))
    .filter(({ finding }) => finding.severity === severity)
  if (group.length === 0) return []
  const title = paint(SEVERITY_LABELS[severity].toUpperCase(), severity)
  return [
    '',
    `${title} ${paint(`(${group.length})`, 'muted')}`,
    ...group.flatMap(({ finding, number }) => renderFinding(finding, number, paint))
  ]
}

const INDENT = 5
const LABEL_WIDTH = 10

function renderFinding(finding: VisualFinding, number: number, paint: Paint): string[] {
  const indent = ' '.repeat(INDENT)
  const body = (text: string, style: Style) => wrap(text, WIDTH - INDENT).map((line) => paint(line, style))
  const row = (label: string, value: string) =>
    wrap(value, WIDTH - INDENT - LABEL_WIDTH).map(
      (line, index) => `${indent}${paint((index === 0 ? label : '').padEnd(LABEL_WIDTH), 'muted')}${line}`
    )
  const [first, ...rest] = body(finding.message, 'bold')
  const confidence = CONFIDENCE_LABELS[finding.confidence]
  const tags = [
    sanitize(finding.code),
    CATEGORY_LABELS[finding.category].toLowerCase(),
    ...formatTags(finding),
    ...(confidence === null ? [] : [confidence])
  ]
  const measured = formatEvidence(finding).map(({ name, value }) => `${name} ${value}`)
  const places = formatPlaces(finding).flatMap(({ selector, detail }, index) => [
    ...(selector === '' ? [] : row(index === 0 ? 'where' : '', selector)),
    ...row('', detail)
  ])
  return [
    '',
    `${paint(String(number).padStart(3), finding.severity)}  ${first}`,
    ...rest.map((line) => indent + line),
    ...body(tags.filter((tag) => tag !== '').join(' · '), 'muted').map((line) => indent + line),
    ...row('fix', finding.advice),
    ...places,
    ...(finding.expected === undefined ? [] : row('expected', formatQuote(finding.expected))),
    ...(finding.actual === undefined ? [] : row('actual', formatQuote(finding.actual))),
    ...(measured.length === 0 ? [] : row('measured', measured.join(' · ')))
  ]
}

function renderFooter(check: VisualCheck, paint: Paint): string[] {
  if (check.checker === null) return []
  return ['', ...mutedFacts([`Check ${check.id}`, ...formatEnvironment(check)], paint)]
}
