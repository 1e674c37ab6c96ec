import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { EVENT_TYPES, Event } from '../../../schemas/event.ts'
import { OneOf, Ref } from '../../../schemas/fields.ts'
import { listResponse } from '../../list-response.ts'
import { getAccountId, webhookAccess } from '../../callers.ts'

/** The event log. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { events } = app.services

  app.get(
    '/',
    {
      config: { access: webhookAccess('events:read'), large: 'list', errors: ['busy'] },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Returns the events of the last 30 days after the sequence `after`, in order, with or without a webhook. ' +
          'To continue, pass `next` of the response as `after`. If the events of the account have more than a fifth ' +
          'of the bytes that it may store (at least 64 MiB), the oldest ones are deleted earlier. Then the list ' +
          'continues with the oldest event that is left.',
        tags: ['Events'],
        querystring: Type.Object(
          {
            after: Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              default: 0,
              description: 'The sequence of the last event that you received'
            }),
            limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
            type: Type.Optional(
              Type.Array(OneOf(EVENT_TYPES), {
                maxItems: EVENT_TYPES.length,
                description: 'Only events of this type. May be repeated'
              })
            )
          },
          { additionalProperties: false }
        ),
        response: {
          200: Type.Object(
            {
              events: Type.Array(Ref(Event)),
              next: Type.Integer({ minimum: 0, description: 'The value of `after` for the next request' })
            },
            { description: 'The events' }
          )
        }
      }
    },
    async (request, reply) => {
      const { after, limit, type: types } = request.query
      const list = await events.list(getAccountId(request), { after, limit, ...(types === undefined ? {} : { types }) })
      return await listResponse(reply, list)
    }
  )
}
export default routes
