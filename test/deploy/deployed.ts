import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseWorkers } from '../../plugins/config.ts'
import type { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { ROOT } from './dockerfile.ts'

/** The jobs that a process of these settings works. */
export function workedBy({ ROLE, WORKERS }: Config): string[] {
  if (ROLE === 'api') return []
  const chosen = parseWorkers(WORKERS)
  return chosen.length === 0 ? Object.keys(Jobs) : chosen
}

/** How long the service lets running requests and jobs take when it is told to stop. */
export function secondsToStop(): number {
  const [, digits] = /STOP_MS = ([\d_]+)/.exec(readFileSync(path.join(ROOT, 'bin/start.ts'), 'utf8'))!
  return Number(digits!.replaceAll('_', '')) / 1000
}
