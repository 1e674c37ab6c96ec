import { setTimeout as wait } from 'node:timers/promises'

/**
 * One promise of a port: what `open` opens must keep it. Every `open` starts empty, and the case
 * closes what it opened.
 */
export interface ContractCase<Open> {
  title: string
  run: (open: Open) => Promise<void>
}

/**
 * Nothing that a case waits for takes this long; a case that still runs after it hangs, and that
 * breaks the promise too.
 */
const HANG_MS = 8_000

/** Runs one case and throws what is wrong. */
export async function runCase<Open>(promise: ContractCase<Open>, open: Open, hangMs = HANG_MS): Promise<void> {
  const given = new AbortController()
  const hang = wait(hangMs, undefined, { signal: given.signal }).then(() => {
    throw new Error(`hangs: ${promise.title}`)
  })
  hang.catch(() => {})
  try {
    await Promise.race([promise.run(open), hang])
  } finally {
    given.abort()
  }
}

/**
 * Runs every case and resolves with the titles of those that fail: for trying a sabotaged adapter,
 * which is not waited for so long.
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
 * Rejects when `condition` does not come true in time; looks again at every turn of the event loop
 * and a little later.
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + HANG_MS / 2
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`)
    await wait(2)
  }
}
