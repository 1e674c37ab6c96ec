import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseWorkers } from '../../plugins/config.ts'
import type { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { ROOT } from './dockerfile.ts'

/** The jobs that a process with these settings runs. */
export function workedBy({ ROLE, WORKERS }: Config): string[] {
  if (ROLE === 'api') return []
  const chosen = parseWorkers(WORKERS)
  return chosen.length === 0 ? Object.keys(Jobs) : chosen
}

/** Seconds that running requests and jobs have to finish after a stop signal. */
export function secondsToStop(): number {
  const [, digits] = /STOP_MS = ([\d_]+)/.exec(readFileSync(path.join(ROOT, 'bin/start.ts'), 'utf8'))!
  return Number(digits!.replaceAll('_', '')) / 1000
}
