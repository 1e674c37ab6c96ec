import type { Browser } from '../../ports/browser/port.ts'
import { measureCheck, type CheckOutcome } from './check-page.ts'
import { mapConcurrently, type BenchPage } from './helpers.ts'

const CONCURRENCY = 2

interface Result {
  page: BenchPage
  outcome: CheckOutcome
  /** The reported codes except info, with a question mark if uncertain. */
  codes: string[]
}

/**
 * Prints how many defects are detected, how many pages without a defect have findings, and how many
 * additional codes a defect has; and a line for each such page. Only certain findings count as
 * detected, while any finding except info counts as a false alarm.
 */
export async function measureRecall(pages: readonly BenchPage[], browser: Browser): Promise<void> {
  const results = await mapConcurrently(pages, CONCURRENCY, async (page): Promise<Result> => {
    const outcome = await measureCheck(browser, page)
    return { page, outcome, codes: getCodes(outcome) }
  })
  const defects = results.filter(({ page }) => page.expectedCodes !== null && page.expectedCodes.length > 0)
  const harmless = results.filter(({ page }) => page.expectedCodes?.length === 0)
  const missed = defects.filter(({ page, codes }) => !codes.some((code) => page.expectedCodes!.includes(code)))
  const alarms = harmless.filter(({ codes }) => codes.length > 0)
  const additional = defects
    .map(({ page, codes }) => ({ page, extra: codes.filter((code) => !page.expectedCodes!.includes(code)) }))
    .filter(({ extra }) => extra.length > 0)

  for (const result of missed) console.log(`MISSED ${format(result)}`)
  for (const result of alarms) console.log(`FALSE ALARM ${format(result)} ${formatEvidence(result.outcome)}`)
  for (const { page, extra } of additional) console.log(`ADDITIONAL ${page.id} ${extra.join(' ')}`)

  const formatShare = (part: number, whole: number) => `${part} of ${whole} (${((part / whole) * 100).toFixed(1)} %)`
  const scoredAlarms = alarms.filter(({ outcome }) => outcome.score !== 100).length
  const parts = [`false alarms ${formatShare(alarms.length, harmless.length)}, ${scoredAlarms} of them scored`]
  if (defects.length > 0) {
    const extraCodes = additional.reduce((sum, { extra }) => sum + extra.length, 0)
    parts.push(
      `defects detected ${formatShare(defects.length - missed.length, defects.length)}`,
      `additional codes ${(extraCodes / defects.length).toFixed(3)} per page`
    )
  }
  console.log(`\nRecall: ${parts.join(', ')}\n`)
}

/** A page that was not inspected has no findings: the outcome counts as its code. */
function getCodes({ outcome, findings }: CheckOutcome): string[] {
  if (outcome !== 'inspected') return [outcome.toUpperCase()]
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, confidence }) => (confidence === 'certain' ? code : `${code}?`))
}

const format = ({ page, outcome, codes }: Result): string => `${page.id} ${outcome.score} ${codes.join(' ')}`

function formatEvidence({ findings }: CheckOutcome): string {
  const reported = findings.filter(({ severity }) => severity !== 'info')
  return JSON.stringify(reported.map(({ code, evidence }) => [code, evidence])).slice(0, 300)
}
