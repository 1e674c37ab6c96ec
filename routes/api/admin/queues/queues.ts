import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Ref } from '../../../../schemas/fields.ts'
import { DeadJobList, JobRetry, JobRetryResult, QueueStateList } from '../../../../schemas/queue.ts'
import { adminAccess } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ job: Type.String({ minLength: 1, maxLength: 100, description: 'The name of a job' }) })
const querystring = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Most jobs to list' }) },
  { additionalProperties: false }
)

/** The queue, for administrators. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { queues } = app.services

  app.get(
    '/',
    {
      config: { access: adminAccess },
      schema: {
        operationId: 'listQueues',
        summary: 'How many jobs wait, run, or were given up',
        tags,
        response: { 200: Ref(QueueStateList, { description: 'Every job there is' }) }
      }
    },
    async () => ({ queues: await queues.states() })
  )

  app.get(
    '/:job/dead',
    {
      config: { access: adminAccess, errors: ['not_found'] },
      schema: {
        operationId: 'listDeadJobs',
        summary: 'List jobs that were given up',
        description: 'The latest first. They are kept for a while, so that they can be tried again.',
        tags,
        params,
        querystring,
        response: { 200: Ref(DeadJobList, { description: 'Jobs that were given up' }) }
      }
    },
    async (request) => ({ jobs: await queues.dead(request.params.job, request.query.limit) })
  )

  app.post(
    '/:job/retry',
    {
      config: { access: adminAccess, errors: ['not_found'] },
      schema: {
        operationId: 'retryDeadJobs',
        summary: 'Try jobs that were given up again',
        description: 'With all their attempts: the one of the id, or all of them. A job may run twice without harm.',
        tags,
        params,
        body: Ref(JobRetry),
        response: { 200: Ref(JobRetryResult, { description: 'How many were added again' }) }
      }
    },
    async (request) => ({ retried: await queues.retry(request.params.job, request.body.id ?? null) })
  )
}
export default routes
