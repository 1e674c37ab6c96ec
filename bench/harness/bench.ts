import path from 'node:path'

/** Options of `npm run bench`, for every benchmark. */
export interface BenchOptions {
  /** Measured rounds. A round measures each side once, in turn. */
  rounds: number
  /** Duration of one measurement of a rate, in seconds. */
  seconds: number
  /** Makes a benchmark larger or smaller: 1 is the size that results are published for. */
  scale: number
  /** Whether results are saved in `RESULTS`. */
  save: boolean
}

/** The measurements of one subject, and those of what it is compared with, from the same rounds. */
export interface BenchRow {
  name: string
  /** The unit of the values, such as `requests/s` or `ms`. */
  unit: string
  values: number[]
  /** What the values are divided by, in the same unit. Absent: the row has no ratio. */
  baseline?: { name: string; values: number[] }
  /** Other measurements, such as the 99th percentile or the memory, with their unit. */
  extra?: Record<string, string>
}

/** A benchmark that `npm run bench -- NAME` runs. */
export interface Bench {
  /** One sentence: what is measured, and what it is compared with. */
  summary: string
  /** Options that differ from those of the harness (`DEFAULT_OPTIONS`). */
  defaults?: Partial<BenchOptions>
  /** A run that may be interrupted calls `saveSoFar` with the rows that it has, which saves them if `save` is set. */
  run: (options: BenchOptions, saveSoFar: (rows: BenchRow[]) => Promise<void>) => Promise<BenchRow[]>
}

export const DEFAULT_OPTIONS: BenchOptions = { rounds: 5, seconds: 4, scale: 1, save: false }

/** The folder of published results. */
export const RESULTS = path.join(import.meta.dirname, '..', 'results')
