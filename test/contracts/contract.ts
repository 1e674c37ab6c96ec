import { setTimeout as wait } from 'node:timers/promises'

/**
 * One guarantee of a port. Every `open` returns an empty adapter; the case closes what it opened.
 */
export interface ContractCase<Open> {
  title: string
  run: (open: Open) => Promise<void>
}

/** A case that runs longer than this hangs and fails. */
const HANG_MS = 8_000

/** Runs one case and rejects if it fails or hangs. */
export async function runCase<Open>(contractCase: ContractCase<Open>, open: Open, hangMs = HANG_MS): Promise<void> {
  const timeout = new AbortController()
  const hang = wait(hangMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`hangs: ${contractCase.title}`)
  })
  hang.catch(() => {})
  try {
    await Promise.race([contractCase.run(open), hang])
  } finally {
    timeout.abort()
  }
}

/**
 * Runs every case and resolves with the titles of those that fail. Used with mutants, which may have
 * a shorter timeout.
 */
export async function failingCases<Open>(
  cases: ReadonlyArray<ContractCase<Open>>,
  open: Open,
  hangMs = HANG_MS
): Promise<string[]> {
  const results = await Promise.all(
    cases.map((one) =>
      runCase(one, open, hangMs).then(
        () => null,
        () => one.title
      )
    )
  )
  return results.filter((title) => title !== null)
}

/**
 * Runs the cases one after another until one fails, and resolves with its title, or null. Used with
 * mutants: that one case detects a mutant is the proof, so the others need not run.
 */
export async function firstFailingCase<Open>(
  cases: ReadonlyArray<ContractCase<Open>>,
  open: Open,
  hangMs = HANG_MS
): Promise<string | null> {
  for (const one of cases) {
    try {
      await runCase(one, open, hangMs)
    } catch {
      return one.title
    }
  }
  return null
}

/** Polls `condition` every 2 ms and rejects if it does not become true in time. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + HANG_MS / 2
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`)
    await wait(2)
  }
}
