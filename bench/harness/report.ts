import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BenchOptions, BenchRow } from './bench.ts'
import type { Machine } from './machine.ts'
import { formatNumber, median } from './statistics.ts'

/** Everything that `bench/results/NAME.json` contains. */
export interface BenchReport {
  name: string
  summary: string
  command: string
  at: string
  machine: Machine
  /** Load average of the last minute, before and after. */
  load: { before: number; after: number }
  options: BenchOptions
  rows: BenchRow[]
}

/**
 * Formats a report as Markdown. A ratio is the median of a row ÷ the median of its baseline, and its
 * spread the lowest and the highest ratio of one round, so that an unsteady machine shows.
 */
export function formatReport({ name, summary, command, machine, load, options, rows }: BenchReport): string {
  const extras = [...new Set(rows.flatMap(({ extra = {} }) => Object.keys(extra)))]
  const hasRounds = rows.some(({ values }) => values.length > 1)
  const range = (text: string): string[] => (hasRounds ? [text] : [])
  const header = ['', 'median', ...range('lowest to highest'), 'compared with', 'median', 'ratio']
  const lines = rows.map(({ name: rowName, unit, values, baseline, extra }) => [
    rowName,
    `${formatNumber(median(values))} ${unit}`,
    ...range(formatRange(values)),
    baseline?.name ?? '–',
    baseline === undefined ? '–' : formatNumber(median(baseline.values)),
    baseline === undefined ? '–' : formatNumber(median(values) / median(baseline.values)),
    ...range(baseline === undefined ? '–' : formatRange(ratiosByRound(values, baseline.values))),
    ...extras.map((title) => extra?.[title] ?? '–')
  ])
  const columns = [...header, ...range('ratio by round'), ...extras]
  const table = [columns, columns.map((title) => (['', 'compared with'].includes(title) ? '---' : '---:')), ...lines]
  return [
    `# ${name}`,
    '',
    summary,
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `\`${command}\`: ${options.rounds} rounds. Version ${machine.version}, commit ${machine.commit ?? 'unknown'}, ` +
      `Node ${machine.node}, ${machine.profile} profile, ${machine.cores} cores (${machine.cpu}), ` +
      `${machine.memoryGb} GB, ${machine.platform}. Load average ${load.before} before, ${load.after} after.`,
    ''
  ].join('\n')
}

/** Writes a report as JSON and Markdown. Returns the paths. */
export async function saveReport(report: BenchReport, folder: string): Promise<string[]> {
  const base = path.join(folder, `${report.name}${report.machine.profile === 'scaled' ? '-scaled' : ''}`)
  await mkdir(folder, { recursive: true })
  await writeFile(`${base}.json`, `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(`${base}.md`, formatReport(report))
  return [`${base}.json`, `${base}.md`]
}

/** The ratio of each round: both values were measured within seconds of each other. */
function ratiosByRound(values: readonly number[], baseline: readonly number[]): number[] {
  return values.flatMap((value, round) => (baseline[round] === undefined ? [] : [value / baseline[round]]))
}

function formatRange(values: readonly number[]): string {
  return values.length === 0 ? '–' : `${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`
}
