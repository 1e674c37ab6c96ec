import {
  FINDING_CATEGORIES,
  SEVERITIES,
  type Severity,
  type VisualCheck,
  type VisualFinding
} from '../../../../schemas/visual-check.ts'
import { evidenceWords, quoted } from './evidence.ts'
import { ink, plain, wrap, type Ink } from './terminal.ts'
import { places } from './where.ts'
import {
  CATEGORY_WORDS,
  CONFIDENCE_WORDS,
  counted,
  coverageWords,
  SEVERITY_WORDS,
  sinceWords,
  verdict
} from './words.ts'

const WIDTH = 92
const BAR = 30

/**
 * A check for a terminal of 92 columns or more, line by line: the score, the categories, what was
 * found with the worst first. No line holds anything that steers a terminal but, with `colors`,
 * our own.
 */
export function textReport(check: VisualCheck, { colors = false }: { colors?: boolean } = {}): string[] {
  const paint = ink(colors)
  const groups = SEVERITIES.flatMap((severity) => group(check, severity, paint))
  const nothing =
    check.status === 'completed' && check.findings.length === 0
      ? ['', 'Nothing was found that is not as it should be.']
      : []
  return [...head(check, paint), ...bars(check, paint), ...groups, ...nothing, ...foot(check, paint)]
}

function head(check: VisualCheck, paint: Ink): string[] {
  const score = check.overallScore === null ? 'no score' : `${check.overallScore} of 100`
  const told = wrap(verdict(check), WIDTH - score.length - 3)
  const since = sinceWords(check)
  const moved =
    check.finalUrl !== null && check.finalUrl !== check.url
      ? wrap(`which led to ${check.finalUrl}`, WIDTH).map((line) => paint(line, 'quiet'))
      : []
  return [
    ...wrap(check.url, WIDTH).map((line) => paint(line, 'bold')),
    ...moved,
    '',
    ...told.map((line, index) =>
      index === 0 ? `${paint(score, tone(check.overallScore))}   ${line}` : `${' '.repeat(score.length + 3)}${line}`
    ),
    ...wrap(
      [check.status, check.environment, ...coverageWords(check).map(({ label, value }) => `${label} ${value}`)].join(
        ' · '
      ),
      WIDTH
    ).map((line) => paint(line, 'quiet')),
    ...(since === null ? [] : wrap(since, WIDTH)).map((line) => paint(line, 'quiet'))
  ]
}

const tone = (score: number | null): Parameters<Ink>[1] =>
  score === null ? 'bold' : score >= 90 ? 'good' : score > 70 ? 'medium' : 'critical'

function bars({ categories }: VisualCheck, paint: Ink): string[] {
  if (categories === null) return []
  const lines = FINDING_CATEGORIES.map((category) => {
    const score = categories[category]
    // Only a whole 100 fills the bar.
    const filled = Math.floor((BAR * score) / 100)
    return `${CATEGORY_WORDS[category].padEnd(12)} ${paint('█'.repeat(filled), tone(score))}${paint('░'.repeat(BAR - filled), 'quiet')} ${String(score).padStart(4)}`
  })
  return ['', ...lines]
}

function group({ findings }: VisualCheck, severity: Severity, paint: Ink): string[] {
  const own = findings
    .map((finding, place) => ({ finding, number: place + 1 }))
    .filter(({ finding }) => finding.severity === severity)
  if (own.length === 0) return []
  return [
    '',
    `${paint(SEVERITY_WORDS[severity].toUpperCase(), severity)} ${paint(`(${own.length})`, 'quiet')}`,
    ...own.flatMap(({ finding, number }) => entry(finding, number, paint))
  ]
}

const INDENT = 5
const LABEL = 10

function entry(finding: VisualFinding, number: number, paint: Ink): string[] {
  const body = (text: string) => wrap(text, WIDTH - INDENT)
  const indented = (lines: string[]) => lines.map((line) => `${' '.repeat(INDENT)}${line}`)
  const row = (label: string, value: string) =>
    wrap(value, WIDTH - INDENT - LABEL).map(
      (line, index) => `${' '.repeat(INDENT)}${paint((index === 0 ? label : '').padEnd(LABEL), 'quiet')}${line}`
    )
  const [first, ...rest] = body(finding.message)
  const remark = CONFIDENCE_WORDS[finding.confidence]
  const tags = [
    plain(finding.code),
    CATEGORY_WORDS[finding.category].toLowerCase(),
    finding.viewports.join(' and '),
    ...(finding.scope === 'site' ? ["the site's own frame"] : []),
    ...(finding.count > 1 ? [counted(finding.count, 'place')] : []),
    ...(remark === null ? [] : [remark])
  ]
  const measured = evidenceWords(finding.evidence)
    .map(({ name, value }) => `${name} ${value}`)
    .join(' · ')
  return [
    '',
    `${paint(String(number).padStart(3), finding.severity)}  ${paint(first!, 'bold')}`,
    ...indented(rest.map((line) => paint(line, 'bold'))),
    ...indented(body(tags.filter((tag) => tag !== '').join(' · ')).map((line) => paint(line, 'quiet'))),
    ...row('do', finding.advice),
    ...places(finding).flatMap(({ selector, detail }, index) =>
      row(index === 0 ? 'where' : '', selector)
        .filter(() => selector !== '')
        .concat(row('', detail))
    ),
    ...(finding.expected === undefined ? [] : row('expected', quoted(finding.expected))),
    ...(finding.actual === undefined ? [] : row('found', quoted(finding.actual))),
    ...(measured === '' ? [] : row('measured', measured))
  ]
}

function foot({ checker, timings, id }: VisualCheck, paint: Ink): string[] {
  if (checker === null) return []
  const fonts = checker.fonts.missing.length === 0 ? [] : [`no font here for ${checker.fonts.missing.join(', ')}`]
  const parts = [
    `check ${id}`,
    `rules ${checker.version}`,
    `Chromium ${checker.chromium}`,
    ...fonts,
    ...(timings === null ? [] : [`${(timings.totalMs / 1000).toFixed(1)} s`])
  ]
  return ['', ...wrap(parts.join(' · '), WIDTH).map((line) => paint(line, 'quiet'))]
}
