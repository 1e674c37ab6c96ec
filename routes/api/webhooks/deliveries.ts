import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { EVENT_TYPES } from '../../../schemas/event.ts'
import { Id, OneOf, Ref, Timestamp } from '../../../schemas/fields.ts'
import { PageQuery } from '../../../schemas/page.ts'
import {
  DELIVERY_STATUSES,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  Recovery,
  RecoveryRequest
} from '../../../schemas/webhook.ts'
import { getAccountId, webhookAccess } from '../../callers.ts'
import { jsonResponse } from '../../list-response.ts'
import { pageLinks } from '../../../lib/http/page-links.ts'

const tags = ['Events']
const read = webhookAccess('webhooks:read')
const write = webhookAccess('webhooks:write')

/** The deliveries of webhooks, and redelivery. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { webhooks } = app.services

  app.get(
    '/:webhookId/deliveries',
    {
      config: { access: read, errors: ['webhook_not_found'] },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List the deliveries of a webhook',
        description: 'Newest first. Deliveries are stored as long as their events, for at most 30 days.',
        tags,
        params: Type.Object({ webhookId: Id() }),
        querystring: Type.Object(
          {
            ...PageQuery,
            status: Type.Optional(OneOf(DELIVERY_STATUSES)),
            event: Type.Optional(OneOf(EVENT_TYPES)),
            since: Type.Optional(Timestamp())
          },
          { additionalProperties: false }
        ),
        response: { 200: Ref(DeliveryList, { description: 'A page of deliveries' }) }
      }
    },
    async (request, reply) => {
      const list = await webhooks.listDeliveries(getAccountId(request), request.params.webhookId, request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.get(
    '/deliveries/:deliveryId',
    {
      config: { access: read, large: 'blog', errors: ['delivery_not_found', 'busy'] },
      schema: {
        operationId: 'getDelivery',
        summary: 'Retrieve a delivery',
        description: 'Returns a delivery with its attempts and the exact body.',
        tags,
        params: Type.Object({ deliveryId: Id() }),
        response: { 200: Ref(DeliveryDetail, { description: 'The delivery' }) }
      }
    },
    async (request, reply) =>
      await jsonResponse(reply, await webhooks.readDelivery(getAccountId(request), request.params.deliveryId))
  )

  app.post(
    '/deliveries/:deliveryId/redeliver',
    {
      config: {
        access: write,
        errors: ['delivery_not_found', 'webhook_disabled'],
        audit: ({ id, webhookId }) => ({
          action: 'webhook.event_redelivered',
          target: { type: 'webhook', id: webhookId as string },
          changes: [{ field: 'delivery', to: id as string }]
        })
      },
      schema: {
        operationId: 'redeliver',
        summary: 'Redeliver an event',
        description:
          'Sends the same id and the same bytes with a new series of attempts, in any state of the delivery.',
        tags,
        params: Type.Object({ deliveryId: Id() }),
        response: { 202: Ref(Delivery, { description: 'The queued delivery' }) }
      }
    },
    async (request, reply) =>
      await reply.code(202).send(await webhooks.redeliver(getAccountId(request), request.params.deliveryId))
  )

  app.post(
    '/:webhookId/recover',
    {
      config: {
        access: write,
        errors: ['webhook_not_found', 'webhook_disabled'],
        audit: ({ id, webhookId }) => ({
          action: 'webhook.recovery_started',
          target: { type: 'webhook', id: webhookId as string },
          changes: [{ field: 'recovery', to: id as string }]
        })
      },
      schema: {
        operationId: 'recoverDeliveries',
        summary: 'Recover missed deliveries',
        description: 'Redelivers all failed and skipped deliveries of a period in the background.',
        tags,
        params: Type.Object({ webhookId: Id() }),
        body: Ref(RecoveryRequest),
        response: { 202: Ref(Recovery, { description: 'The recovery', headers: { Location: { type: 'string' } } }) }
      }
    },
    async (request, reply) => {
      const recovery = await webhooks.startRecovery(getAccountId(request), request.params.webhookId, {
        ...request.body,
        operation: request.operation
      })
      return await reply.code(202).header('location', `/api/webhooks/recoveries/${recovery.id}`).send(recovery)
    }
  )

  app.get(
    '/recoveries/:recoveryId',
    {
      config: { access: read, errors: ['recovery_not_found'] },
      schema: {
        operationId: 'getRecovery',
        summary: 'Retrieve a recovery',
        tags,
        params: Type.Object({ recoveryId: Id() }),
        response: { 200: Ref(Recovery, { description: 'The recovery' }) }
      }
    },
    async (request) => await webhooks.readRecovery(getAccountId(request), request.params.recoveryId)
  )
}
export default routes
