import { median } from '../helpers.ts'
import type { CaseResult, Repeats } from './measure.ts'

/** The lowest score of a page that counts as faultless. */
export const GOOD_SCORE = 95

/** The figures by which the visual check is judged. Each list has the results that are wrong. */
export interface Figures {
  defects: number
  unnamed: CaseResult[]
  visible: number
  tooHigh: CaseResult[]
  plain: number
  tooLow: CaseResult[]
  harmless: number
  alarms: CaseResult[]
  medianMs: number
}

export function getFigures(results: readonly CaseResult[]): Figures {
  const ofKind = (kind: CaseResult['kind']): CaseResult[] => results.filter((result) => result.kind === kind)
  const [defects, plain, harmless] = [ofKind('defect'), ofKind('plain'), ofKind('harmless')]
  const visible = defects.filter(({ isVisible }) => isVisible)
  return {
    defects: defects.length,
    unnamed: defects.filter(({ isNamed }) => isNamed === false),
    visible: visible.length,
    // A page without a score has none that is too high.
    tooHigh: visible.filter(({ score }) => score !== null && score >= GOOD_SCORE),
    plain: plain.length,
    tooLow: plain.filter(({ score }) => score === null || score < GOOD_SCORE),
    harmless: harmless.length,
    alarms: harmless.filter(({ codes, outcome }) => codes.length > 0 || outcome !== 'inspected'),
    medianMs: median(results.map(({ ms }) => ms))
  }
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} % (${part} of ${whole})`

export function formatFigures(figures: Figures): string {
  const named = figures.defects - figures.unnamed.length
  const good = figures.plain - figures.tooLow.length
  const tooHigh = figures.tooHigh.length
  return [
    '| figure | value | goal |',
    '| --- | --- | --- |',
    `| defects named | ${share(named, figures.defects)} | ≥ 95 % |`,
    `| visible defects with a score of at least ${GOOD_SCORE} | ${share(tooHigh, figures.visible)} | ≤ 2 % |`,
    `| faultless pages with a score of at least ${GOOD_SCORE} | ${share(good, figures.plain)} | ≥ 99 % |`,
    `| harmless changes with an alarm | ${share(figures.alarms.length, figures.harmless)} | ≤ 0.5 % |`,
    `| time of a check, median | ${figures.medianMs.toFixed(0)} ms | – |`
  ].join('\n')
}

/** The largest difference of the scores of one page, and how many pages differ. */
export function formatRepeats(repeats: readonly Repeats[]): string {
  const spreads = repeats.map(({ scores }) => {
    const values = scores.map((score) => score ?? 0)
    return Math.max(...values) - Math.min(...values)
  })
  const different = spreads.filter((spread) => spread > 0).length
  return `Repeated checks: ${different} of ${repeats.length} pages differ, by at most ${Math.max(0, ...spreads)} points`
}

/** The pages behind the figures. Only for the half on which rules are tuned. */
export function formatMissed({ unnamed, tooHigh, tooLow, alarms }: Figures): string {
  const list = (title: string, results: readonly CaseResult[]): string[] =>
    results.map(({ id, score, outcome, codes }) => `${title} ${id} ${score ?? outcome} ${codes.join(' ')}`.trimEnd())
  return [
    ...list('NOT NAMED', unnamed),
    ...list('SCORE TOO HIGH', tooHigh),
    ...list('SCORE TOO LOW', tooLow),
    ...list('ALARM', alarms)
  ].join('\n')
}
