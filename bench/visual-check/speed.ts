import type { Browser } from '../../ports/browser/port.ts'
import { measureInspectedCheck } from './check-page.ts'
import type { Lighthouse } from './lighthouse.ts'
import { median, type BenchPage } from './helpers.ts'

interface Bench {
  browser: Browser
  lighthouse: Lighthouse
  rounds: number
}

/** Prints the time of a check and of Lighthouse on the same pages. The target is a tenth. */
export async function measureSpeed(pages: readonly BenchPage[], { browser, lighthouse, rounds }: Bench): Promise<void> {
  const measured = pages.map((page) => ({ page, check: [] as number[], audit: [] as number[] }))
  // Warm-up.
  await measureInspectedCheck(browser, pages[0]!)
  await lighthouse.audit(pages[0]!.url)
  for (let round = 0; round < rounds; round++) {
    for (const { page, check, audit } of measured) {
      check.push((await measureInspectedCheck(browser, page)).ms)
      audit.push(await lighthouse.audit(page.url))
    }
  }
  const row = (name: string, check: number[], audit: number[]) =>
    `| ${name} | ${median(check).toFixed(0)} | ${median(audit).toFixed(0)} | ` +
    `${(median(check) / median(audit)).toFixed(3)} |`
  console.log(
    `Time: medians of ${rounds} alternating rounds; Lighthouse for mobile and ` +
      `desktop\n\n| page | check, ms | Lighthouse, ms | ratio |\n| --- | ---: | ---: | ---: |`
  )
  for (const { page, check, audit } of measured) console.log(row(page.id, check, audit))
  console.log(
    `${row(
      '**all**',
      measured.flatMap(({ check }) => check),
      measured.flatMap(({ audit }) => audit)
    )}\n`
  )
}
