import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { RESULTS, type Bench, type BenchRow } from '../harness/bench.ts'
import { measureActs, type ActResult } from './acts.ts'
import { drawChart, type Curve } from './chart.ts'
import { formatNumber } from '../harness/statistics.ts'
import { startGrowthService, type FillPhase, type GrowthService } from './protocol.ts'

/** All sizes. `--scale 1` ends at 10,000, and `--scale 100` at a million. */
const SIZES = [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
const LARGEST = 10_000
/** Indexes of posts and products that acts add, above those of all sizes. */
const FIRST_NEW_INDEX = 10_000_000

/** Acts of one request that change data. */
const WRITING: ReadonlySet<string> = new Set(['publish', 'products, batch of 100'])

/** The measurements at one size. */
interface SizeResult {
  size: number
  acts: ActResult[]
  bytesPerPost: number | null
  rssBytes: number
  phases: FillPhase[]
}

export const bench: Bench = {
  summary:
    'What each act costs while an account grows to a million posts and products: CPU time of the service and time of ' +
    'the client, compared with the same act at the smallest size.',
  async run({ scale, rounds, save }, saveSoFar) {
    const sizes = SIZES.filter((size) => size <= LARGEST * scale)
    const service = await startGrowthService()
    const results: SizeResult[] = []
    try {
      for (const [index, size] of sizes.entries()) {
        const result = await measureSize(service, { size, next: FIRST_NEW_INDEX + index * 100_000, rounds }).catch(
          (error: Error) => error
        )
        if (result instanceof Error) {
          // Such as a full disk: the sizes before it are reported.
          if (results.length === 0) throw result
          console.error(`${size} posts and products were not measured: ${result.message}`)
          break
        }
        results.push(result)
        console.error(formatSize(results.at(-1)!))
        // A large run may be interrupted.
        await saveSoFar(toRows(results))
        if (save) await saveCharts(results)
      }
    } finally {
      await service.send({ name: 'close' }).catch(({ message }: Error) => console.error(message))
    }
    return toRows(results)
  }
}

async function measureSize(
  service: GrowthService,
  { size, next, rounds }: { size: number; next: number; rounds: number }
): Promise<SizeResult> {
  // A tenth as many posts belong to other accounts, 1,000 at most.
  const target = { posts: size, products: size, accounts: Math.min(1_000, size / 10) }
  const { bytes, phases } = await service.send({ name: 'fill', target })
  const acts = await measureActs(service, { posts: size, next, rounds })
  const { rssBytes } = await service.send({ name: 'usage' })
  return { size, acts, bytesPerPost: bytes == null ? null : bytes / size, rssBytes: rssBytes!, phases: phases! }
}

/** Bytes and commands, where they are known. */
function formatCosts({ writtenBytes, commands }: Pick<ActResult, 'writtenBytes' | 'commands'>, count = 1): string {
  const bytes = writtenBytes === null ? '' : `, ${formatNumber(writtenBytes / count / 1000)} kB written`
  return bytes + (commands === null ? '' : `, ${formatNumber(commands / count)} commands`)
}

function formatSize({ size, acts, bytesPerPost, rssBytes, phases }: SizeResult): string {
  const filled = phases.map(
    ({ name, count, seconds, cpuMs, storedBytes, ...costs }) =>
      `  ${count} ${name} in ${seconds.toFixed(0)} s: each ${(cpuMs / count).toFixed(2)} ms CPU` +
      formatCosts(costs, count) +
      (storedBytes === null ? '' : `, ${formatNumber(storedBytes / count / 1000)} kB stored`)
  )
  const lines = acts.map(
    ({ act, per, p50Ms, p99Ms, cpuMs, ...costs }) =>
      `  ${act.padEnd(34)} ${cpuMs.toFixed(2).padStart(9)} ms CPU${formatCosts(costs)} per ${per}` +
      (p50Ms === null ? '' : `, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms!.toFixed(1)} ms`)
  )
  return (
    `${size} posts and products: ` +
    (bytesPerPost === null ? '' : `${formatNumber(bytesPerPost / 1000)} kB per post with its product, `) +
    `${(rssBytes / 1e6).toFixed(0)} MB of memory\n${[...filled, ...lines].join('\n')}`
  )
}

/** A row for each act: its CPU time at each size, in ascending order of sizes. */
function toRows(results: SizeResult[]): BenchRow[] {
  return results[0]!.acts.map(({ act, per }, index) => {
    const all = results.map(({ acts }) => acts[index]!)
    const [first, last] = [all[0]!, all.at(-1)!]
    const fromTo = (title: string, value: (result: ActResult) => number | null): Record<string, string> =>
      value(first) === null ? {} : { [title]: `${formatNumber(value(first)!)} → ${formatNumber(value(last)!)}` }
    return {
      name: act,
      unit: `ms CPU per ${per}`,
      values: [last.cpuMs],
      baseline: { name: `${results[0]!.size} posts`, values: [first.cpuMs] },
      extra: {
        ...Object.fromEntries(
          all.map(({ cpuMs }, i) => [`${results[i]!.size}`, Number.isNaN(cpuMs) ? '–' : cpuMs.toFixed(2)])
        ),
        'p99 at the end': last.p99Ms === null ? '–' : `${last.p99Ms.toFixed(1)} ms`,
        ...fromTo('kB written', ({ writtenBytes }) => (writtenBytes === null ? null : writtenBytes / 1000)),
        ...fromTo('commands', ({ commands }) => commands)
      }
    }
  })
}

async function saveCharts(results: SizeResult[]): Promise<void> {
  const curvesOf = (value: (act: ActResult) => number | null): Curve[] =>
    results[0]!.acts.flatMap(({ act }, index) => {
      const points = results.flatMap(({ size, acts }) => {
        const measured = value(acts[index]!)
        return measured === null || !(measured > 0) ? [] : [{ size, value: measured }]
      })
      return points.length === 0 ? [] : [{ name: act, points }]
    })
  await mkdir(RESULTS, { recursive: true })
  const suffix = process.env.MONGODB_URL === undefined ? '' : '-scaled'
  const charts: { name: string; title: string; unit: string; value: (act: ActResult) => number | null }[] = [
    { name: 'cpu', title: 'CPU time of the service per act', unit: 'ms', value: ({ cpuMs }) => cpuMs },
    { name: 'p99', title: 'Time of a request, 99th percentile', unit: 'ms', value: ({ p99Ms }) => p99Ms },
    {
      name: 'written',
      title: 'Written to the disk per act',
      unit: 'kB',
      // Reads write nothing, or a response once.
      value: ({ per, act, writtenBytes }) =>
        writtenBytes === null || (per === 'request' && !WRITING.has(act)) ? null : writtenBytes / 1000
    },
    { name: 'commands', title: 'Commands to MongoDB per act', unit: 'commands', value: ({ commands }) => commands }
  ]
  for (const { name, title, unit, value } of charts) {
    const curves = curvesOf(value)
    if (curves.length === 0) continue
    const file = path.join(RESULTS, `growth${suffix}-${name}.png`)
    await writeFile(file, await drawChart({ title, unit, curves }))
    console.error(`Saved ${path.relative('.', file)}`)
  }
}
