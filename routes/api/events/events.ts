import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { EVENT_TYPES, Event } from '../../../schemas/event.ts'
import { OneOf, Ref } from '../../../schemas/fields.ts'
import { accountOf, webhookAccess } from '../../callers.ts'

/** Everything that has happened, to be pulled. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { events } = app.services

  app.get(
    '/',
    {
      config: { access: webhookAccess },
      schema: {
        operationId: 'listEvents',
        summary: 'Pull events',
        description:
          'In order of sequence, from the one after `after`; everything of the last 30 days, whether there is a webhook or not. Go on with `after=` and the `next` of the answer.',
        tags: ['Events'],
        querystring: Type.Object(
          {
            after: Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              default: 0,
              description: 'The sequence of the last event that you have'
            }),
            limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
            type: Type.Optional(
              Type.Array(OneOf(EVENT_TYPES), {
                maxItems: EVENT_TYPES.length,
                description: 'Only events of this type; may be given several times'
              })
            )
          },
          { additionalProperties: false }
        ),
        response: {
          200: Type.Object(
            {
              events: Type.Array(Ref(Event)),
              next: Type.Integer({ minimum: 0, description: 'What to give as `after` the next time' })
            },
            { description: 'The events' }
          )
        }
      }
    },
    async (request) => {
      const { after, limit, type: types } = request.query
      return await events.list(accountOf(request), { after, limit, ...(types === undefined ? {} : { types }) })
    }
  )
}
export default routes
