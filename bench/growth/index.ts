import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { RESULTS, type Bench, type BenchRow } from '../harness/bench.ts'
import { measureActs, type ActResult } from './acts.ts'
import { drawChart, type Curve } from './chart.ts'
import { startGrowthService, type GrowthService } from './protocol.ts'

/** All sizes. `--scale 1` ends at 10,000, and `--scale 100` at a million. */
const SIZES = [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
const LARGEST = 10_000
/** Indexes of posts and products that acts add, above those of all sizes. */
const FIRST_NEW_INDEX = 10_000_000

/** The measurements at one size. */
interface SizeResult {
  size: number
  acts: ActResult[]
  bytesPerPost: number | null
  rssBytes: number
  fillSeconds: number
}

export const bench: Bench = {
  summary:
    'What each act costs while an account grows to a million posts and products: CPU time of the service and time of ' +
    'the client, compared with the same act at the smallest size.',
  async run({ scale, save }) {
    const sizes = SIZES.filter((size) => size <= LARGEST * scale)
    const service = await startGrowthService()
    const results: SizeResult[] = []
    try {
      for (const [index, size] of sizes.entries()) {
        const result = await measureSize(service, size, FIRST_NEW_INDEX + index * 100_000).catch(
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
        if (save) await saveCharts(results)
      }
    } finally {
      await service.send({ name: 'close' }).catch(({ message }: Error) => console.error(message))
    }
    return toRows(results)
  }
}

async function measureSize(service: GrowthService, size: number, next: number): Promise<SizeResult> {
  const start = performance.now()
  // A tenth as many posts belong to other accounts, 1,000 at most.
  const target = { posts: size, products: size, accounts: Math.min(1_000, size / 10) }
  const { bytes } = await service.send({ name: 'fill', target })
  const fillSeconds = (performance.now() - start) / 1000
  const acts = await measureActs(service, { posts: size, next })
  const { rssBytes } = await service.send({ name: 'usage' })
  return { size, acts, bytesPerPost: bytes == null ? null : bytes / size, rssBytes: rssBytes!, fillSeconds }
}

function formatSize({ size, acts, bytesPerPost, rssBytes, fillSeconds }: SizeResult): string {
  const lines = acts.map(
    ({ act, per, p50Ms, p99Ms, cpuMs }) =>
      `  ${act.padEnd(28)} ${cpuMs.toFixed(2).padStart(9)} ms CPU per ${per}` +
      (p50Ms === null ? '' : `, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms!.toFixed(1)} ms`)
  )
  return (
    `${size} posts and products: filled in ${fillSeconds.toFixed(0)} s, ` +
    `${bytesPerPost === null ? '–' : (bytesPerPost / 1000).toFixed(1)} kB per post with its product, ` +
    `${(rssBytes / 1e6).toFixed(0)} MB of memory\n${lines.join('\n')}`
  )
}

/** A row for each act: its CPU time at each size, in ascending order of sizes. */
function toRows(results: SizeResult[]): BenchRow[] {
  return results[0]!.acts.map(({ act, per }, index) => {
    const all = results.map(({ acts }) => acts[index]!)
    return {
      name: act,
      unit: `ms CPU per ${per}`,
      values: [all.at(-1)!.cpuMs],
      baseline: { name: `${results[0]!.size} posts`, values: [all[0]!.cpuMs] },
      extra: {
        ...Object.fromEntries(all.map(({ cpuMs }, i) => [`${results[i]!.size}`, cpuMs.toFixed(2)])),
        'p99 at the end': all.at(-1)!.p99Ms === null ? '–' : `${all.at(-1)!.p99Ms!.toFixed(1)} ms`
      }
    }
  })
}

async function saveCharts(results: SizeResult[]): Promise<void> {
  const curvesOf = (value: (act: ActResult) => number | null): Curve[] =>
    results[0]!.acts.flatMap(({ act }, index) => {
      const points = results.flatMap(({ size, acts }) => {
        const measured = value(acts[index]!)
        return measured === null || measured <= 0 ? [] : [{ size, value: measured }]
      })
      return points.length === 0 ? [] : [{ name: act, points }]
    })
  await mkdir(RESULTS, { recursive: true })
  const suffix = process.env.MONGODB_URL === undefined ? '' : '-scaled'
  for (const [name, title, value] of [
    ['cpu', 'CPU time of the service per act', ({ cpuMs }: ActResult) => cpuMs],
    ['p99', 'Time of a request, 99th percentile', ({ p99Ms }: ActResult) => p99Ms]
  ] as const) {
    const file = path.join(RESULTS, `growth${suffix}-${name}.png`)
    await writeFile(file, await drawChart({ title, unit: 'ms', curves: curvesOf(value) }))
    console.error(`Saved ${path.relative('.', file)}`)
  }
}
