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
    const same = countSame(results)
    console.log(
      `Consistency: a single run, and ${runs} runs of ${pages.length} pages, ${concurrency} at a time, with ` +
        `${threads.length} busy threads on ${availableParallelism()} cores: the same score in all runs ` +
        `on ${same} of ${pages.length} pages, ` +
        `${((same / pages.length) * 100).toFixed(1)} %`
    )
    printDifferent(results)
  } finally {
    await Promise.all(threads.map(async (thread) => await thread.terminate()))
  }
}

/**
 * Prints the share of checks that have the same score while others run as alone: groups of `concurrency` different
 * pages that start at the same moment, each in a browser of its own, in other combinations each round.
 */
export async function measureTogether(
  pages: readonly BenchPage[],
  { browser, runs, concurrency }: Options
): Promise<void> {
  const single: CheckOutcome[] = []
  for (const page of pages) single.push(await measureCheck(browser, page))
  const results = pages.map((page, index) => ({ page, runs: [single[index]!] }))
  for (let round = 0; round < runs; round++) {
    for (let at = 0; at < pages.length; at += concurrency) {
      const group = Array.from({ length: Math.min(concurrency, pages.length) }, (_, lane) => {
        const step = 1 + (round % Math.max(1, Math.floor(pages.length / concurrency)))
        return results[(at + lane * step + round) % pages.length]!
      })
      const outcomes = await Promise.all(
        group.map(async ({ page }, lane) => await measureCheck(browser, page, `bench-${lane}`))
      )
      for (const [lane, outcome] of outcomes.entries()) group[lane]!.runs.push(outcome)
    }
  }
  const checks = results.flatMap((result) =>
    result.runs.slice(1).map((run) => getScore(run) === getScore(result.runs[0]!))
  )
  const same = checks.filter(Boolean).length
  console.log(
    `Together: ${checks.length} checks of ${pages.length} pages, each while ${concurrency - 1} others ran, on ` +
      `${availableParallelism()} cores: the same score as alone in ${same} of ${checks.length}, ` +
      `${((same / checks.length) * 100).toFixed(1)} %; on all runs of ${countSame(results)} of ${pages.length} pages`
  )
  printDifferent(results)
}

interface PageRuns {
  page: BenchPage
  runs: CheckOutcome[]
}

const hasOneScore = ({ runs }: PageRuns): boolean => countBy(runs, getScore).size === 1

const countSame = (results: readonly PageRuns[]): number => results.filter(hasOneScore).length

function printDifferent(results: readonly PageRuns[]): void {
  for (const { page, runs } of results.filter((result) => !hasOneScore(result))) {
    const scores = formatCounts(countBy(runs, getScore))
    console.log(`  ${page.id}: ${scores}; not in all runs: ${formatCounts(countUnstable(runs))}`)
  }
  console.log('')
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
