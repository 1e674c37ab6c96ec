import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Browser } from '../../ports/browser/port.ts'
import { atOnce } from './at-once.ts'
import { measureCheck, type CheckOutcome } from './check-page.ts'
import type { BenchPage } from './page.ts'

/** Spinning threads for each core. */
const LOAD = 2
const AT_ONCE = 2

interface Bench {
  browser: Browser
  runs: number
}

/**
 * Prints the share of pages that get the same score in all runs while twice as many threads spin as
 * there are cores, and what differed on the others; the target is 99 %.
 */
export async function measureSameness(pages: readonly BenchPage[], { browser, runs }: Bench): Promise<void> {
  const spinners = Array.from({ length: LOAD * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  try {
    const work = pages.flatMap((page) => Array.from({ length: runs }, () => page))
    const checked = await atOnce(work, AT_ONCE, async (page) => await measureCheck(browser, page))
    const results = pages.map((page, index) => ({ page, runs: checked.slice(index * runs, (index + 1) * runs) }))
    const different = results.filter((result) => countBy(result.runs, computeScore).size > 1)
    const same = pages.length - different.length
    console.log(
      `Sameness: ${runs} runs of ${pages.length} pages, ${AT_ONCE} at once, ${spinners.length} threads spinning on ${availableParallelism()} cores: the same score in all runs on ${same} of ${pages.length} pages, ${((same / pages.length) * 100).toFixed(1)} %`
    )
    for (const result of different) {
      console.log(
        `  ${result.page.id}: ${told(countBy(result.runs, computeScore))}; not always there: ${told(wavering(result.runs))}`
      )
    }
    console.log('')
  } finally {
    await Promise.all(spinners.map(async (spinner) => await spinner.terminate()))
  }
}

const computeScore = ({ score, outcome }: CheckOutcome): string => (score === null ? outcome : String(score))

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

/** Findings that count, with their extent, that some runs told and others did not. */
function wavering(runs: readonly CheckOutcome[]): Map<string, number> {
  const findings = runs.flatMap((run) => run.findings.filter(({ severity }) => severity !== 'info'))
  const counts = countBy(
    findings,
    ({ code, severity, extent, confidence }) => `${code} ${severity} ${extent} ${confidence}`
  )
  return new Map([...counts].filter(([, count]) => count < runs.length))
}

const told = (counts: Map<string, number>): string =>
  [...counts].map(([what, count]) => `${what} × ${count}`).join(', ') || 'nothing'
