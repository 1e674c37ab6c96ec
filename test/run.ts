import { statfs } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { linesReporter, runFiles, tapReporter, totalsOf } from './runner.ts'
import { findServers, type Servers } from './servers/index.ts'
import { runsOf, TIERS, tierOf, type Run, type Tier } from './tiers.ts'

const USAGE = `Usage: node test/run.ts [TIER] [OPTION …] [FILE …]

Runs the tests of a tier: fast (default), scaled, browser, stress, or all of them.
Files run in their own tier; with "scaled", any file runs over MongoDB and Redis.

  --grep PATTERN   run only the tests whose title matches the regular expression
  --jobs N         run N files at the same time (default: one more than there are cores; browser
                   tier: one for each core; scaled tier: two more)
  --record         browser tier: record the page snapshots in test/data/page-snapshots anew
  --reporter NAME  "lines" (default): one line per file, or "tap": everything that the tests print
  --timeout S      the time limit of one file, in seconds (default: 600)
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    help: { type: 'boolean' },
    jobs: { type: 'string' },
    record: { type: 'boolean', default: false },
    reporter: { type: 'string', default: 'lines' },
    timeout: { type: 'string', default: '600' }
  }
})
if (values.help === true) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const isTier = (word: string | undefined): word is Tier => (TIERS as readonly (string | undefined)[]).includes(word)
const named = isTier(positionals[0]) || positionals[0] === 'all' ? (positionals.shift() as Tier | 'all') : undefined
const files = positionals.map((file) => path.relative(process.cwd(), file))
const tiers = named === 'all' ? TIERS : [named ?? (files[0] === undefined ? 'fast' : tierOf(files[0]))]
const reporters: Partial<Record<string, typeof tapReporter>> = { lines: linesReporter, tap: tapReporter }
const createReporter = reporters[values.reporter]
if (createReporter === undefined) {
  process.stderr.write(`Unknown reporter: ${values.reporter}\n\n${USAGE}`)
  process.exit(2)
}

/** Files that run beside one for each core, because files of the tier wait for servers or for time to pass. */
const WAITING_FILES: Record<Tier, number> = { fast: 1, browser: 0, scaled: 2, stress: 1 }

/** Free space that the tests need at most. */
const FOLDER_BYTES = 4 * 1024 ** 3

/**
 * Where tests create their folders: in memory if there is enough of it, because tests of the embedded profile
 * wait for the disk up to half of their time.
 */
async function folderForTests(): Promise<string> {
  const inMemory = await statfs('/dev/shm').catch(() => null)
  const isLargeEnough = inMemory !== null && inMemory.bavail * inMemory.bsize >= FOLDER_BYTES
  return isLargeEnough && process.env.TMPDIR === undefined ? '/dev/shm' : tmpdir()
}

const testFolder = await folderForTests()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())

/** Runs the files of a run and prints their results. Resolves to whether all of them passed. */
async function runAndReport(tier: Tier, run: Run, servers: Servers | null): Promise<boolean> {
  process.stdout.write(`# tier: ${tier}, profile: ${run.profile}\n`)
  const started = performance.now()
  const reporter = createReporter!()
  const env = {
    ...process.env,
    // Compiled modules are shared between the test processes: most of them load the whole service.
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'blog-service-compile-cache'),
    TEST_PROFILE: run.profile,
    TEST_FOLDER: testFolder,
    MONGODB_URL: undefined,
    REDIS_URL: undefined,
    ...(values.grep === undefined ? {} : { TAP_GREP: values.grep }),
    ...(values.record ? { RECORD_SNAPSHOTS: '1' } : {})
  }
  const results = await runFiles(run.files, {
    async prepare() {
      // Tests of the embedded profile do not use the servers.
      const prepared = run.profile === 'scaled' ? await servers?.prepare() : undefined
      return { ...prepared, env: { ...env, ...prepared?.env } }
    },
    jobs: Number(values.jobs ?? availableParallelism() + WAITING_FILES[tier]),
    timeoutMs: Number(values.timeout) * 1000,
    signal: stopping.signal,
    onResult: (result) => process.stdout.write(reporter.result(result))
  })
  const totals = totalsOf(results)
  process.stdout.write(reporter.summary(totals, performance.now() - started))
  return totals.ok && !stopping.signal.aborted
}

async function runTier(tier: Tier): Promise<boolean> {
  const runs = runsOf(tier)
  const servers = tier === 'scaled' || tier === 'stress' ? await findServers() : null
  try {
    for (const sentence of servers?.missing ?? []) {
      process.stderr.write(`Missing for the ${tier} tier: ${sentence}\n`)
    }
    if (servers !== null && servers.missing.length > 0) return false
    // Named files run in each run of the tier that contains them.
    const chosen = runs
      .map((run) => ({ ...run, files: run.files.filter((file) => files.length === 0 || files.includes(file)) }))
      .filter((run) => run.files.length > 0)
    let passed = true
    for (const run of chosen.length > 0 ? chosen : [{ ...runs[0]!, files }]) {
      passed = (await runAndReport(tier, run, servers)) && passed
    }
    return passed
  } finally {
    await servers?.stop()
  }
}

let passed = true
for (const tier of tiers) passed = (await runTier(tier)) && passed
process.exit(passed ? 0 : 1)
