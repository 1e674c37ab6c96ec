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
import { getAccountId, webhookAccess } from '../../callers.ts'

const tags = ['Webhooks']
const read = webhookAccess('webhooks:read')
const write = webhookAccess('webhooks:write')
const params = Type.Object({ webhookId: Id() })
/** Secrets are shown once: they must not be cached or replayed. */
const shownOnce = ['secret']

/** Enabling and disabling are recorded as such, other changes by their fields. */
function updateAction(patch: WebhookPatch): 'webhook.updated' | 'webhook.enabled' | 'webhook.disabled' {
  if (patch.enabled === undefined || Object.keys(patch).length > 1) return 'webhook.updated'
  return patch.enabled ? 'webhook.enabled' : 'webhook.disabled'
}

/** Webhook endpoints. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { webhooks } = app.services

  app.post(
    '/',
    {
      config: {
        access: write,
        shownOnce,
        errors: ['webhook_address_refused', 'too_many_webhooks'],
        audit: { action: 'webhook.created', target: { type: 'webhook' } }
      },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description: 'New events are sent to the URL. The signing secret is returned only here and after a rotation.',
        tags,
        body: Ref(WebhookInput),
        response: { 201: Ref(WebhookWithSecret, { description: 'The webhook with its secret', ...notStored }) }
      }
    },
    async (request, reply) =>
      await reply
        .code(201)
        .cacheControl('no-store')
        .send(await webhooks.create(getAccountId(request), request.body, request.operation))
  )

  app.get(
    '/',
    {
      config: { access: read },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List the webhooks',
        tags,
        response: { 200: Ref(WebhookList, { description: 'The webhooks, oldest first' }) }
      }
    },
    async (request) => ({ webhooks: await webhooks.list(getAccountId(request)) })
  )

  app.get(
    '/:webhookId',
    {
      config: { access: read, errors: ['webhook_not_found'] },
      schema: {
        operationId: 'getWebhook',
        summary: 'Retrieve a webhook',
        tags,
        params,
        response: { 200: Ref(Webhook, { description: 'The webhook' }) }
      }
    },
    async (request) => await webhooks.read(getAccountId(request), request.params.webhookId)
  )

  app.patch(
    '/:webhookId',
    {
      config: {
        access: write,
        errors: ['webhook_not_found', 'webhook_address_refused', 'edit_conflict'],
        audit: (_webhook, { body }) => ({ action: updateAction(body as WebhookPatch), target: { type: 'webhook' } })
      },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description: 'While a webhook is disabled, its events are recorded as skipped. Send them with `recover`.',
        tags,
        params,
        body: Ref(WebhookPatch),
        response: { 200: Ref(Webhook, { description: 'The updated webhook' }) }
      }
    },
    async (request) => await webhooks.patch(getAccountId(request), request.params.webhookId, request.body)
  )

  app.delete(
    '/:webhookId',
    {
      config: {
        access: write,
        errors: ['webhook_not_found'],
        audit: { action: 'webhook.deleted', target: { type: 'webhook' } }
      },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Deletes a webhook and its deliveries.',
        tags,
        params,
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      reply.audited = await webhooks.remove(getAccountId(request), request.params.webhookId)
      return await reply.code(204).send(null)
    }
  )

  app.post(
    '/:webhookId/enable',
    {
      config: {
        access: write,
        errors: ['webhook_not_found', 'edit_conflict'],
        audit: { action: 'webhook.enabled', target: { type: 'webhook' } }
      },
      schema: {
        operationId: 'enableWebhook',
        summary: 'Enable a webhook',
        description: 'Enables a disabled or paused webhook, and sends its pending deliveries.',
        tags,
        params,
        response: { 200: Ref(Webhook, { description: 'The updated webhook' }) }
      }
    },
    async (request) => await webhooks.enable(getAccountId(request), request.params.webhookId)
  )

  app.post(
    '/:webhookId/test',
    {
      config: {
        access: write,
        errors: ['webhook_not_found', 'busy'],
        waitsForOthers: true,
        audit: { exempt: 'A ping changes nothing' }
      },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a ping',
        description: 'Sends a signed `ping` event with sequence 0 once, without retries. The delivery is not recorded.',
        tags,
        params,
        response: { 200: Ref(PingResult, { description: 'The response of the receiver' }) }
      }
    },
    async (request) => await webhooks.ping(getAccountId(request), request.params.webhookId, request.operation)
  )

  app.post(
    '/:webhookId/rotate-secret',
    {
      config: {
        access: write,
        shownOnce,
        errors: ['webhook_not_found', 'edit_conflict'],
        audit: { action: 'webhook.secret_rotated', target: { type: 'webhook' }, shows: ['overlapHours'] }
      },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the signing secret',
        description:
          'The old secret remains valid for `overlapHours`. ' + 'During this time events are signed with both secrets.',
        tags,
        params,
        body: Type.Optional(Type.Union([Ref(SecretRotation), Type.Null()])),
        response: { 200: Ref(WebhookWithSecret, { description: 'The webhook with its new secret', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.cacheControl('no-store')
      return await webhooks.rotateSecret(getAccountId(request), request.params.webhookId, {
        overlapHours: request.body?.overlapHours ?? 24
      })
    }
  )
}
export default routes
