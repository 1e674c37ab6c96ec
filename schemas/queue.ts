import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'
import { Jobs, type JobName } from './jobs.ts'

const JOB_NAMES = Object.keys(Jobs) as JobName[]
export const JobWord = OneOf(JOB_NAMES, { description: 'The name of a job' })

/** How many jobs of a name there are, in the whole queue. */
export const QueueState = Type.Object(
  {
    job: JobWord,
    waiting: Type.Integer({ minimum: 0, description: 'All that are not running, with those that wait for their time' }),
    due: Type.Integer({ minimum: 0, description: 'Those that wait for nothing but a worker' }),
    running: Type.Integer({ minimum: 0 }),
    dead: Type.Integer({
      minimum: 0,
      description: 'Those that were given up after their last attempt, and are kept for a while'
    }),
    oldestMs: Type.Integer({
      minimum: 0,
      description: 'For how many milliseconds the oldest due one has waited; 0: none does'
    })
  },
  { $id: 'QueueState' }
)
export type QueueState = Static<typeof QueueState>

/** Every job there is. */
export const QueueStateList = Type.Object({ queues: Type.Array(Ref(QueueState)) }, { $id: 'QueueStateList' })
export type QueueStateList = Static<typeof QueueStateList>

/** A job that was given up after its last attempt. */
export const DeadJob = Type.Object(
  {
    id: Type.String({ description: "The queue's own name for it" }),
    job: JobWord,
    payload: Type.Object({}, { additionalProperties: true, description: 'What it carries: ids only' }),
    attempts: Type.Integer({ minimum: 0 }),
    reason: Type.String({ description: 'What the last attempt failed with' }),
    failedAt: Timestamp(),
    requestId: Nullable(Type.String(), { description: 'The request that led to it, as the log has it' })
  },
  { $id: 'DeadJob' }
)
export type DeadJob = Static<typeof DeadJob>

/** The latest first. */
export const DeadJobList = Type.Object({ jobs: Type.Array(Ref(DeadJob)) }, { $id: 'DeadJobList' })
export type DeadJobList = Static<typeof DeadJobList>

/** Which dead jobs to try again. */
export const JobRetry = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'One of them; left out: all of them' }))
  },
  { $id: 'JobRetry', additionalProperties: false }
)
export type JobRetry = Static<typeof JobRetry>

/** How many were added again. */
export const JobRetryResult = Type.Object({ retried: Type.Integer({ minimum: 0 }) }, { $id: 'JobRetryResult' })
export type JobRetryResult = Static<typeof JobRetryResult>
