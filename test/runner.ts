import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const PRELOAD = new URL('preload.ts', import.meta.url).href

export interface FileResult {
  file: string
  /** The TAP output of the file. */
  output: string
  durationMs: number
  passed: number
  failed: number
  skipped: number
  /** Why the file failed as a whole; null if its assertions tell the result. */
  error: string | null
}

/** What a file runs with. */
export interface Environment {
  env: NodeJS.ProcessEnv
  /** Called when the file has ended. */
  release?: () => Promise<void>
}

export interface RunOptions {
  /** Called before each file. */
  prepare: () => Environment | Promise<Environment>
  /** Files that run at the same time. */
  jobs: number
  /** Time limit of one file. */
  timeoutMs: number
  /** A file that does not end itself at its time limit is killed this much later. */
  killDelayMs?: number
  /** Stops the running files and starts no others. */
  signal?: AbortSignal
  onResult?: (result: FileResult) => void
}

/**
 * Runs test files, each in its own Node.js process, `jobs` at a time. The `tap` command would do the
 * same, but it loads a module hook into every process, for its coverage reports. That hook costs a
 * third of the time of the tests.
 *
 * @returns the results in the order in which the files ended
 */
export async function runFiles(files: string[], { jobs, signal, onResult, prepare, ...options }: RunOptions) {
  const results: FileResult[] = []
  const waiting = files.values()
  const runNext = async (): Promise<void> => {
    for (const file of waiting) {
      if (signal?.aborted === true) return
      const { env, release } = await prepare()
      try {
        const result = await runFile(file, { ...options, env, signal })
        results.push(result)
        onResult?.(result)
      } finally {
        await release?.()
      }
    }
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  return results
}

async function runFile(
  file: string,
  { env, timeoutMs, killDelayMs = 10_000, signal }: Omit<RunOptions, 'jobs' | 'onResult' | 'prepare'> & Environment
): Promise<FileResult> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', PRELOAD, file], {
    // tap fails a test that exceeds TAP_TIMEOUT seconds, and then names what it waits for.
    env: { ...env, TAP_TIMEOUT: String(timeoutMs / 1000) },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: timeoutMs + killDelayMs,
    killSignal: 'SIGKILL'
  })
  const stop = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  const [[code, killedBy], output] = await Promise.all([
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout)
  ])
  signal?.removeEventListener('abort', stop)
  const counts = readCounts(output)
  return {
    file,
    output,
    durationMs: performance.now() - started,
    ...counts,
    error: killedBy === null ? errorOf(code, counts) : `killed by ${killedBy}`
  }
}

function errorOf(code: number | null, { passed, failed, skipped }: ReturnType<typeof readCounts>): string | null {
  if (code !== 0 && failed === 0) return `exited with code ${code}`
  if (passed + failed + skipped === 0) return 'contains no assertion'
  return null
}

/**
 * The counts in the summary that tap prints last: `# { total: 7, pass: 5, fail: 1, skip: 1 }`. A
 * file whose plan is `1..0` is skipped as a whole.
 */
function readCounts(output: string): Pick<FileResult, 'passed' | 'failed' | 'skipped'> {
  if (/^1\.\.0\b/m.test(output)) return { passed: 0, failed: 0, skipped: 1 }
  const summary = output.match(/^# \{ total: .*\}$/gm)?.at(-1) ?? ''
  const count = (name: string) => Number(new RegExp(` ${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
}

const isOk = ({ failed, error }: FileResult): boolean => failed === 0 && error === null

export interface Totals {
  ok: boolean
  passed: number
  /** Failed assertions, and files that failed as a whole. */
  failed: number
  skipped: number
  failedFiles: string[]
}

export function totalsOf(results: FileResult[]): Totals {
  const sum = (of: (result: FileResult) => number) => results.reduce((total, result) => total + of(result), 0)
  return {
    ok: results.length > 0 && results.every(isOk),
    passed: sum((result) => result.passed),
    failed: sum((result) => result.failed + (result.error === null ? 0 : 1)),
    skipped: sum((result) => result.skipped),
    failedFiles: results.filter((result) => !isOk(result)).map(({ file }) => file)
  }
}

export type Reporter = {
  result: (result: FileResult) => string
  summary: (totals: Totals, durationMs: number) => string
}

/** One line per file, and what a failed file printed about its failures. */
export const linesReporter = (): Reporter => ({
  result: (result) => {
    const { file, passed, failed, skipped, durationMs, error } = result
    const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`, error]
    const details = [...counts, seconds(durationMs)].filter(Boolean).join(', ')
    const line = `${isOk(result) ? 'ok    ' : 'FAILED'} ${file} (${details})
`
    return isOk(result) ? line : line + failures(result.output)
  },
  summary: ({ passed, failed, skipped, failedFiles }, durationMs) =>
    [
      ...failedFiles.map((file) => `FAILED ${file}`),
      `${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds(durationMs)}`,
      ''
    ].join('\n')
})

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The output of a file without its passed assertions and plans. */
const failures = (output: string): string =>
  output.replace(/^ *(?:ok \d|\d+\.\.\d|# (?:Subtest: |\{ total: |time=)|TAP version ).*\n|^ *\n/gm, '')

/** TAP version 14, with one subtest per file. */
export function tapReporter(): Reporter {
  let number = 0
  return {
    result: (result) => {
      const failed = isOk(result) ? '' : 'not '
      const end = `${failed}ok ${++number} - ${result.file} # time=${result.durationMs.toFixed(3)}ms\n`
      const error = result.error === null ? '' : `  ---\n  error: ${JSON.stringify(result.error)}\n  ...\n`
      return `# Subtest: ${result.file}\n${result.output.replace(/^(?=.)/gm, '    ')}${end}${error}`
    },
    summary: ({ passed, failed, skipped }, durationMs) => {
      const counts = { total: passed + failed + skipped, pass: passed, fail: failed, skip: skipped }
      const shown = Object.entries(counts).filter(([name, count]) => name === 'total' || count > 0)
      const listed = shown.map(([name, count]) => `${name}: ${count}`).join(', ')
      return `1..${number}
# { ${listed} }
# time=${durationMs.toFixed(3)}ms
`
    }
  }
}
