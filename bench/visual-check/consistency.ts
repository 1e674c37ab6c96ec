import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Browser } from '../../ports/browser/port.ts'
import { measureCheck, type CheckOutcome } from './check-page.ts'
import { countBy, mapConcurrently, type BenchPage } from './helpers.ts'

/** Busy threads for each core. */
const LOAD = 2
interface Options {
  browser: Browser
  runs: number
  /** Checks at the same time. */
  concurrency: number
}

/**
 * Prints the share of pages that get the same score in all runs on a busy machine as in a single run before, and
 * the differences of the others. The target is 99 %.
 */
export async function measureConsistency(
  pages: readonly BenchPage[],
  { browser, runs, concurrency }: Options
): Promise<void> {
  const single: CheckOutcome[] = []
  for (const page of pages) single.push(await measureCheck(browser, page))
  const threads = Array.from({ length: LOAD * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  try {
    const work = pages.flatMap((page) => Array.from({ length: runs }, () => page))
    const outcomes = await mapConcurrently(work, concurrency, async (page) => await measureCheck(browser, page))
    const results = pages.map((page, index) => ({
      page,
      runs: [single[index]!, ...outcomes.slice(index * runs, (index + 1) * runs)]
    }))
    const different = results.filter((result) => countBy(result.runs, getScore).size > 1)
    const same = pages.length - different.length
    console.log(
      `Consistency: a single run, and ${runs} runs of ${pages.length} pages, ${concurrency} at a time, with ` +
        `${threads.length} busy threads on ${availableParallelism()} cores: the same score in all runs ` +
        `on ${same} of ${pages.length} pages, ` +
        `${((same / pages.length) * 100).toFixed(1)} %`
    )
    for (const { page, runs } of different) {
      const scores = formatCounts(countBy(runs, getScore))
      console.log(`  ${page.id}: ${scores}; not in all runs: ${formatCounts(countUnstable(runs))}`)
    }
    console.log('')
  } finally {
    await Promise.all(threads.map(async (thread) => await thread.terminate()))
  }
}

const getScore = ({ score, outcome }: CheckOutcome): string => (outcome === 'inspected' ? String(score) : outcome)

/** Counts the findings, except info, that some runs have and others do not. */
function countUnstable(runs: readonly CheckOutcome[]): Map<string, number> {
  const findings = runs.flatMap((run) => run.findings.filter(({ severity }) => severity !== 'info'))
  const counts = countBy(
    findings,
    ({ code, severity, extent, confidence }) => `${code} ${severity} ${extent} ${confidence}`
  )
  return new Map([...counts].filter(([, count]) => count < runs.length))
}

const formatCounts = (counts: Map<string, number>): string =>
  [...counts].map(([name, count]) => `${name} × ${count}`).join(', ') || 'nothing'
