import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref, notStored } from '../../../schemas/fields.ts'
import {
  PingResult,
  SecretRotation,
  Webhook,
  WebhookInput,
  WebhookList,
  WebhookPatch,
  WebhookWithSecret
} from '../../../schemas/webhook.ts'
import { accountOf, webhookAccess } from '../../callers.ts'

const tags = ['Webhooks']
const access = webhookAccess
const params = Type.Object({ webhookId: Id() })
/** What is shown once must not be kept by anybody on the way, nor be told again. */
const shownOnce = ['secret']

/** Where events are sent to. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { webhooks } = app.services

  app.post(
    '/',
    {
      config: { access, shownOnce, errors: ['webhook_address_refused', 'too_many_webhooks'] },
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook',
        description:
          'Events that happen from now on are posted to the address. The signing secret is shown here and after a rotation only.',
        tags,
        body: Ref(WebhookInput),
        response: { 201: Ref(WebhookWithSecret, { description: 'The webhook and its secret', ...notStored }) }
      }
    },
    async (request, reply) =>
      await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send(await webhooks.create(accountOf(request), request.body))
  )

  app.get(
    '/',
    {
      config: { access },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List the webhooks',
        tags,
        response: { 200: Ref(WebhookList, { description: 'The webhooks, the oldest first' }) }
      }
    },
    async (request) => ({ webhooks: await webhooks.list(accountOf(request)) })
  )

  app.get(
    '/:webhookId',
    {
      config: { access, errors: ['webhook_not_found'] },
      schema: {
        operationId: 'getWebhook',
        summary: 'Read a webhook',
        tags,
        params,
        response: { 200: Ref(Webhook, { description: 'The webhook' }) }
      }
    },
    async (request) => await webhooks.read(accountOf(request), request.params.webhookId)
  )

  app.patch(
    '/:webhookId',
    {
      config: { access, errors: ['webhook_not_found', 'webhook_address_refused', 'edit_conflict'] },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        description: 'Events that come while it is disabled are kept as skipped; `recover` sends them.',
        tags,
        params,
        body: Ref(WebhookPatch),
        response: { 200: Ref(Webhook, { description: 'The webhook as it is now' }) }
      }
    },
    async (request) => await webhooks.patch(accountOf(request), request.params.webhookId, request.body)
  )

  app.delete(
    '/:webhookId',
    {
      config: { access, errors: ['webhook_not_found'] },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'With its deliveries.',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is deleted' }) }
      }
    },
    async (request, reply) => {
      await webhooks.remove(accountOf(request), request.params.webhookId)
      return await reply.code(204).send(null)
    }
  )

  app.post(
    '/:webhookId/enable',
    {
      config: { access, errors: ['webhook_not_found', 'edit_conflict'] },
      schema: {
        operationId: 'enableWebhook',
        summary: 'Enable a webhook',
        description: 'Also ends a pause. What waited is sent.',
        tags,
        params,
        response: { 200: Ref(Webhook, { description: 'The webhook as it is now' }) }
      }
    },
    async (request) => await webhooks.enable(accountOf(request), request.params.webhookId)
  )

  app.post(
    '/:webhookId/test',
    {
      config: { access, errors: ['webhook_not_found'] },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a ping',
        description: 'A signed event `ping` with sequence 0, now and once; it is not kept.',
        tags,
        params,
        response: { 200: Ref(PingResult, { description: 'What the receiver answered' }) }
      }
    },
    async (request) => await webhooks.ping(accountOf(request), request.params.webhookId)
  )

  app.post(
    '/:webhookId/rotate-secret',
    {
      config: { access, shownOnce, errors: ['webhook_not_found', 'edit_conflict'] },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the signing secret',
        description:
          'The old secret is good beside the new one for `overlapHours`. Nothing is lost at a receiver that knows only one of them.',
        tags,
        params,
        body: Type.Optional(Type.Union([Ref(SecretRotation), Type.Null()])),
        response: { 200: Ref(WebhookWithSecret, { description: 'The webhook and its new secret', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await webhooks.rotateSecret(accountOf(request), request.params.webhookId, {
        overlapHours: request.body?.overlapHours ?? 24
      })
    }
  )
}
export default routes
