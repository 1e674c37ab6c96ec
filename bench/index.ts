import { parseArgs } from 'node:util'
import path from 'node:path'
import { DEFAULT_OPTIONS, RESULTS, type BenchOptions, type BenchRow } from './harness/bench.ts'
import { describeMachine, loadAverage } from './harness/machine.ts'
import { BENCHES } from './harness/registry.ts'
import { formatReport, saveReport, type BenchReport } from './harness/report.ts'

/*
 * Runs benchmarks: `npm run bench -- NAME [NAME …] [--rounds N] [--seconds N] [--scale N] [--save]`.
 * Without a name, it lists them. `--save` writes the results to `bench/results/`.
 */
/** Above this load average per core, other programs distort a result. */
const BUSY_LOAD = 0.5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    scale: { type: 'string' },
    save: { type: 'boolean', default: false }
  }
})
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Benchmarks: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}
if (positionals.length === 0) await listBenches()
for (const name of positionals) await runBench(name)

async function listBenches(): Promise<void> {
  for (const [name, load] of Object.entries(BENCHES)) console.log(`${name.padEnd(16)}${(await load()).bench.summary}`)
}

async function runBench(name: string): Promise<void> {
  const { bench } = await BENCHES[name]!()
  const machine = describeMachine()
  const before = loadAverage()
  if (before > BUSY_LOAD * machine.cores) {
    console.error(`The load average is ${before}: other programs use this machine, and ratios are less exact.`)
  }
  const options = readOptions({ ...DEFAULT_OPTIONS, ...bench.defaults })
  const reportOf = (rows: BenchRow[]): BenchReport => ({
    name,
    summary: bench.summary,
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`,
    at: new Date().toISOString(),
    machine,
    load: { before, after: loadAverage() },
    options,
    rows
  })
  const report = reportOf(
    await bench.run(options, async (rows) => {
      if (values.save) await saveReport(reportOf(rows), RESULTS)
    })
  )
  console.log(formatReport(report))
  const saved = values.save ? await saveReport(report, RESULTS) : []
  for (const file of saved) console.log(`Saved ${path.relative('.', file)}`)
}

function readOptions(defaults: BenchOptions): BenchOptions {
  const read = (key: 'rounds' | 'seconds' | 'scale'): number => {
    const value = Number(values[key] ?? defaults[key])
    if (!(value > 0)) throw new Error(`--${key} must be a number above 0, not "${values[key]}"`)
    return value
  }
  return { rounds: read('rounds'), seconds: read('seconds'), scale: read('scale'), save: values.save }
}
