import type { Browser } from '../../ports/browser/port.ts'
import { atOnce } from './at-once.ts'
import { measureCheck, type CheckOutcome } from './check-page.ts'
import type { BenchPage } from './page.ts'

const AT_ONCE = 2

interface Result {
  page: BenchPage
  checked: CheckOutcome /** What is told, but for info; with a question mark what is not certain. */
  codes: string[]
}

/**
 * Prints how many defects are named, how many harmless pages raise an alarm, and how many codes
 * beside the right one are told a page; each page that is missed, raises one or has such codes on a
 * line.
 * Only what is certain names a defect, while anything but info is an alarm: both as a customer
 * would count who is hard to please.
 */
export async function measureRecall(pages: readonly BenchPage[], browser: Browser): Promise<void> {
  const results = await atOnce(pages, AT_ONCE, async (page): Promise<Result> => {
    const checked = await measureCheck(browser, page)
    return { page, checked, codes: codesOf(checked) }
  })
  const defects = results.filter(({ page }) => page.named !== null && page.named.length > 0)
  const harmless = results.filter(({ page }) => page.named?.length === 0)
  const missed = defects.filter(({ page, codes }) => !codes.some((code) => page.named!.includes(code)))
  const alarms = harmless.filter(({ codes }) => codes.length > 0)
  const followUps = defects
    .map((result) => ({ ...result, extra: result.codes.filter((code) => !result.page.named!.includes(code)) }))
    .filter(({ extra }) => extra.length > 0)

  for (const result of missed) console.log(`MISSED ${told(result)}`)
  for (const result of alarms) {
    console.log(
      `ALARM ${told(result)} ${JSON.stringify(result.checked.findings.filter(({ severity }) => severity !== 'info').map(({ code, evidence }) => [code, evidence])).slice(0, 300)}`
    )
  }
  for (const { page, extra } of followUps) console.log(`FOLLOW-UP ${page.id} ${extra.join(' ')}`)
  const share = (part: number, whole: number) => `${part} of ${whole} (${((part / whole) * 100).toFixed(1)} %)`
  const followed = followUps.reduce((sum, { extra }) => sum + extra.length, 0)
  const named =
    defects.length === 0
      ? []
      : [
          `defects named ${share(defects.length - missed.length, defects.length)}`,
          `follow-up codes ${(followed / defects.length).toFixed(3)} a page`
        ]
  console.log(
    `\nRecall: ${[`false alarms ${share(alarms.length, harmless.length)}, of them in the score ${alarms.filter(({ checked }) => checked.score !== 100).length}`, ...named].join(', ')}\n`
  )
}

/** A page that was not seen has no findings; why it was not is what is told of it. */
function codesOf({ outcome, findings }: CheckOutcome): string[] {
  if (outcome !== 'inspected') return [outcome.toUpperCase()]
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, confidence }) => (confidence === 'certain' ? code : `${code}?`))
}

const told = ({ page, checked, codes }: Result): string =>
  `${page.id} ${checked.score ?? checked.outcome} ${codes.join(' ')}`
