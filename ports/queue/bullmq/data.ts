import type { Job } from 'bullmq'
import type { JobName, JobPayload } from '../../../schemas/jobs.ts'

/**
 * What is kept of a job. `dueAt` (ms since 1970) is since when it waits for nothing but a worker.
 * When it is given up, `attempts` says how many there were, and `spent` how
 * many of BullMQ's own count are to be left out when it is tried again.
 */
export interface JobData {
  payload: JobPayload<JobName>
  requestId: string | null
  dueAt: number
  attempts?: number
  spent?: number
}

export type StoredJob = Job<JobData, void>

/**
 * Which attempt this is, from 1. One whose process ended without a word counts as an attempt, or it
 * could end processes for ever.
 */
export function attemptOf(job: StoredJob): number {
  return Math.max(1, 1 + begun(job) - (job.data.spent ?? 0))
}

/** How many attempts are over. */
export const begun = ({ attemptsMade, stalledCounter }: StoredJob): number => attemptsMade + stalledCounter
