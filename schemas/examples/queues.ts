import { DEMO } from './demo.ts'

const dead = {
  id: '4711',
  job: 'import-products',
  payload: { accountId: DEMO.accountId, importId: DEMO.importId },
  attempts: 5,
  reason: 'The store does not respond.',
  failedAt: '2026-01-31T09:04:12.318Z',
  requestId: '5f2a9c1d3b7e-1k'
}
const state = { job: 'deliver-webhooks', waiting: 12, due: 3, running: 10, dead: 0, oldestMs: 240 }

/** A queue in which little waits, and a job that was given up. */
export const queueExamples = {
  DeadJob: dead,
  DeadJobList: { jobs: [dead] },
  JobRetry: { id: dead.id },
  JobRetryResult: { retried: 1 },
  QueueState: state,
  QueueStateList: { queues: [state] }
}
