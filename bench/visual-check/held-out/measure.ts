import { existsSync, readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import type { Browser } from '../../../ports/browser/port.ts'
import type { PageCase } from '../../../test/data/visual-pages/cases.ts'
import type { CaseSet, Half } from '../../../test/data/visual-pages/types.ts'
import { createChoices } from '../../../test/data/seed.ts'
import { measureCheck, type CheckOutcome } from '../check-page.ts'
import { mapConcurrently } from '../helpers.ts'
import type { Locator } from './locate.ts'
import { isNamed, newFindings } from './naming.ts'

/** What a check of one page showed. Plain data, so that a run can be continued from a file. */
export interface CaseResult {
  id: string
  kind: PageCase['kind']
  isVisible: boolean
  score: number | null
  outcome: string
  /** Scored findings that the plain page lacks; all of them for a plain page. */
  codes: string[]
  /** Whether the defect was named. Null for pages without a defect. */
  isNamed: boolean | null
  ms: number
}

/** Scores of repeated checks of one page. */
export interface Repeats {
  id: string
  scores: (number | null)[]
}

interface Options {
  browser: Browser
  locator: Locator
  cases: ReadonlyMap<string, PageCase>
  /** Results are appended to this file, and pages that it has are not checked again. */
  file?: string | undefined
}

const CONCURRENCY = 2
const REPEATS = 3

/** About `count` cases of a half and a set, in the proportions of their kinds. The same seed gives the same cases. */
export function sampleCases(
  cases: ReadonlyMap<string, PageCase>,
  { half, set = 'first', count, seed }: { half: Half; set?: CaseSet; count: number; seed: number }
): PageCase[] {
  const all = [...cases.values()].filter((pageCase) => pageCase.half === half && pageCase.set === set)
  if (count >= all.length) return all
  return (['plain', 'defect', 'harmless'] as const).flatMap((kind) => {
    const ofKind = all.filter((pageCase) => pageCase.kind === kind)
    const share = Math.max(1, Math.round((count * ofKind.length) / all.length))
    return createChoices(`sample of ${half} ${kind}`, seed).sample(ofKind, share)
  })
}

/** Checks the cases, and the plain page of each. Results include those of the plain pages. */
export async function measureCases(
  sample: readonly PageCase[],
  { browser, locator, cases, file }: Options
): Promise<CaseResult[]> {
  const results = file !== undefined && existsSync(file) ? readResults(file) : []
  const done = new Set(results.map(({ id }) => id))
  const plainChecks = new Map<string, Promise<CheckOutcome>>()
  const add = async (result: CaseResult): Promise<void> => {
    results.push(result)
    if (file !== undefined) await appendFile(file, `${JSON.stringify(result)}\n`)
  }

  const checkPlain = async (pageCase: PageCase): Promise<CheckOutcome> => {
    const check = await measureCheck(browser, pageBench(pageCase))
    if (!done.has(pageCase.id)) {
      await add({ ...describe(pageCase, check), codes: newFindings(check, NOTHING).map(({ code }) => code) })
    }
    return check
  }
  const plainOf = (id: string): Promise<CheckOutcome> => {
    const known = plainChecks.get(id) ?? checkPlain(cases.get(id)!)
    plainChecks.set(id, known)
    return known
  }

  const missing = sample.filter(({ id }) => !done.has(id))
  await mapConcurrently(missing, CONCURRENCY, async (pageCase) => {
    const plain = await plainOf(pageCase.plainId)
    const { kind, defect, url } = pageCase
    if (kind === 'plain') return
    const check = await measureCheck(browser, pageBench(pageCase))
    await add({
      ...describe(pageCase, check),
      codes: newFindings(check, plain).map(({ code }) => code),
      isNamed:
        defect === null
          ? null
          : await isNamed(defect, { check, plain }, async (target, places) => await locator.isOn(url, target, places))
    })
  })
  return results
}

/** Checks pages several times. Their scores should be equal. */
export async function measureRepeats(sample: readonly PageCase[], browser: Browser): Promise<Repeats[]> {
  return await mapConcurrently(sample, CONCURRENCY, async (pageCase) => {
    const scores: (number | null)[] = []
    for (let run = 0; run < REPEATS; run++) scores.push((await measureCheck(browser, pageBench(pageCase))).score)
    return { id: pageCase.id, scores }
  })
}

const NOTHING: CheckOutcome = { ms: 0, outcome: 'inspected', score: 100, findings: [] }

const pageBench = ({ id, url, expected }: PageCase) => ({ id, url, expected, expectedCodes: null })

const describe = ({ id, kind, defect }: PageCase, { score, outcome, ms }: CheckOutcome): CaseResult => ({
  ...{ id, kind, score, outcome, ms: Math.round(ms) },
  isVisible: defect?.visible ?? false,
  codes: [],
  isNamed: null
})

const readResults = (file: string): CaseResult[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CaseResult)
