import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Ref, Timestamp } from './fields.ts'
import { Jobs, type JobName } from './jobs.ts'

const JOB_NAMES = Object.keys(Jobs) as JobName[]
export const JobWord = OneOf(JOB_NAMES, { description: 'The job name' })

/** The number of jobs of a name in the queue. */
export const QueueState = Type.Object(
  {
    job: JobWord,
    waiting: Type.Integer({ minimum: 0, description: 'Jobs that are not running, both due and delayed' }),
    due: Type.Integer({ minimum: 0, description: 'Jobs that are due and wait for a worker' }),
    running: Type.Integer({ minimum: 0 }),
    dead: Type.Integer({
      minimum: 0,
      description: 'Jobs that have used up their attempts'
    }),
    oldestMs: Type.Integer({
      minimum: 0,
      description: 'How long the oldest due job has waited, in milliseconds. 0 without one'
    })
  },
  { $id: 'QueueState' }
)
export type QueueState = Static<typeof QueueState>

/** The queues of all jobs. */
export const QueueStateList = Type.Object({ queues: Type.Array(Ref(QueueState)) }, { $id: 'QueueStateList' })
export type QueueStateList = Static<typeof QueueStateList>

/** A job that has used up its attempts. */
export const DeadJob = Type.Object(
  {
    id: Type.String({ description: 'The id of the job in the queue' }),
    job: JobWord,
    payload: Type.Object({}, { additionalProperties: true, description: 'The payload, which contains ids only' }),
    attempts: Type.Integer({ minimum: 0 }),
    reason: Type.String({ description: 'The error of the last attempt' }),
    failedAt: Timestamp(),
    requestId: Nullable(Type.String(), { description: 'The id of the request that added the job' })
  },
  { $id: 'DeadJob' }
)
export type DeadJob = Static<typeof DeadJob>

/** Newest first. */
export const DeadJobList = Type.Object({ jobs: Type.Array(Ref(DeadJob)) }, { $id: 'DeadJobList' })
export type DeadJobList = Static<typeof DeadJobList>

/** The dead jobs to retry. */
export const JobRetry = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The id of a dead job. Default: all dead jobs' })
    )
  },
  { $id: 'JobRetry', additionalProperties: false }
)
export type JobRetry = Static<typeof JobRetry>

/** The number of retried jobs. */
export const JobRetryResult = Type.Object({ retried: Type.Integer({ minimum: 0 }) }, { $id: 'JobRetryResult' })
export type JobRetryResult = Static<typeof JobRetryResult>
