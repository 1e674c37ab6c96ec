import type {
  CheckStatus,
  Confidence,
  FindingCategory,
  Severity,
  VisualCheck
} from '../../../../schemas/visual-check.ts'

export const CATEGORY_WORDS: Readonly<Record<FindingCategory, string>> = {
  content: 'Content',
  layout: 'Layout',
  media: 'Images',
  style: 'Style',
  readability: 'Readability',
  metadata: 'Metadata',
  runtime: 'Loading'
}
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'To know'
}
/** Why a finding takes nothing from the score; null where it does. */
export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string | null>> = {
  certain: null,
  review: 'for a person to judge, not scored',
  flaky: 'seen once of two times, not scored'
}
const STATUS_WORDS: Readonly<Record<CheckStatus, string>> = {
  queued: 'The check waits for its turn.',
  running: 'The check is running.',
  completed: 'The page could not be judged.',
  blocked: 'The page may not be reached from here.',
  unreachable: 'The page could not be reached.',
  timeout: 'The page did not come in time.',
  failed: 'The check failed.'
}
/**
 * From which score on, and in which words; the steps are those that a low, a medium, a high and a
 * critical finding cap the score to.
 */
const VERDICTS: readonly [number, string][] = [
  [98, 'As it should be'],
  [90, 'Small flaws'],
  [71, 'Flaws that readers notice'],
  [26, 'Serious flaws'],
  [0, 'Broken']
]

/** The score in words, or why there is none: one short sentence or phrase. */
export function verdict({
  overallScore,
  status,
  reason
}: Pick<VisualCheck, 'overallScore' | 'status' | 'reason'>): string {
  if (overallScore === null) return reason ?? STATUS_WORDS[status]
  return VERDICTS.find(([from]) => overallScore >= from)![1]
}

/** `3 findings`, `1 place`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** A share in whole percents; 100 % means all of it, and 0 % nothing. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  return `${rounded === 100 && share < 1 ? 99 : rounded === 0 && share > 0 ? 1 : rounded} %`
}

/** What of the blog is in the page; null where it was not measured. */
export function coverageWords({ coverage }: Pick<VisualCheck, 'coverage'>): { label: string; value: string }[] {
  if (coverage === null) return []
  return [
    { label: 'text in the page', value: percent(coverage.inDom) },
    { label: 'text to be seen', value: percent(coverage.visible) },
    { label: 'own CSS in force', value: percent(coverage.cssHeld) }
  ]
}

/** What has changed since the check before, on one line; null where there was none. */
export function sinceWords({ since, overallScore }: Pick<VisualCheck, 'since' | 'overallScore'>): string | null {
  if (since === null) return null
  const scores =
    since.overallScore === overallScore
      ? 'the same score'
      : `score ${since.overallScore ?? 'none'} → ${overallScore ?? 'none'}`
  return [
    `since the check before: ${scores}`,
    ...(since.appeared.length === 0 ? [] : [`new: ${since.appeared.join(', ')}`]),
    ...(since.gone.length === 0 ? [] : [`gone: ${since.gone.join(', ')}`])
  ].join(' · ')
}

/** `2026-11-21 19:04 UTC` of a timestamp. */
export const minute = (timestamp: string): string => `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
