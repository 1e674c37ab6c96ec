import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Ref } from '../../../../schemas/fields.ts'
import { DeadJobList, JobRetry, JobRetryResult, QueueStateList } from '../../../../schemas/queue.ts'
import { adminAccess } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ job: Type.String({ minLength: 1, maxLength: 100, description: 'The job name' }) })
const querystring = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'The maximum number of jobs' }) },
  { additionalProperties: false }
)

/** Job queues, for administrators. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { queues } = app.services

  app.get(
    '/',
    {
      config: { access: adminAccess },
      schema: {
        operationId: 'listQueues',
        summary: 'List job queues',
        tags,
        response: { 200: Ref(QueueStateList, { description: 'The queues of all jobs' }) }
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
        summary: 'List dead jobs',
        description:
          'Newest first. Dead jobs have used up their attempts. They are kept for some time and can be retried.',
        tags,
        params,
        querystring,
        response: { 200: Ref(DeadJobList, { description: 'The dead jobs' }) }
      }
    },
    async (request) => ({ jobs: await queues.dead(request.params.job, request.query.limit) })
  )

  app.post(
    '/:job/retry',
    {
      config: {
        access: adminAccess,
        errors: ['not_found'],
        audit: ({ retried }, { params }) =>
          retried === 0
            ? null
            : {
                action: 'queue.jobs_retried',
                target: { type: 'queue', id: (params as { job: string }).job },
                changes: [{ field: 'retried', to: retried as number }]
              }
      },
      schema: {
        operationId: 'retryDeadJobs',
        summary: 'Retry dead jobs',
        description: 'Requeues one dead job by id, or all of them, with a new series of attempts. Jobs are idempotent.',
        tags,
        params,
        body: Ref(JobRetry),
        response: { 200: Ref(JobRetryResult, { description: 'The number of retried jobs' }) }
      }
    },
    async (request) => ({ retried: await queues.retry(request.params.job, request.body.id ?? null) })
  )
}
export default routes
