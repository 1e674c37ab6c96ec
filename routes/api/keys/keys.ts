import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ApiKey, ApiKeyInput, ApiKeyList, ApiKeyPatch, ApiKeyWithValue } from '../../../schemas/api-key.ts'
import { Id, Ref, notStored } from '../../../schemas/fields.ts'
import { getAccountId, sessionAccess } from '../../callers.ts'

const tags = ['API keys']
const params = Type.Object({ keyId: Id() })

/** API key management. The value of a key is returned once. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { apiKeys } = app.services

  app.post(
    '/',
    {
      config: {
        access: sessionAccess,
        errors: ['too_many_keys'],
        shownOnce: ['key'],
        audit: { action: 'key.created', target: { type: 'key' }, shows: ['expiresAt'] }
      },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description: 'The key has all scopes unless `scopes` is given. Store the value: it is returned only once.',
        tags,
        body: Ref(ApiKeyInput),
        response: { 201: Ref(ApiKeyWithValue, { description: 'The key with its value', ...notStored }) }
      }
    },
    async (request, reply) => {
      const key = await apiKeys.create(getAccountId(request), request.body, request.operation)
      return await reply.code(201).cacheControl('no-store').send(key)
    }
  )

  app.get(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'Values are not included.',
        tags,
        response: { 200: Ref(ApiKeyList, { description: 'The keys, oldest first', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.cacheControl('no-store')
      return { keys: await apiKeys.list(getAccountId(request)) }
    }
  )

  app.post(
    '/:keyId/rotate',
    {
      config: {
        access: sessionAccess,
        errors: ['key_not_found', 'rotation_conflict'],
        shownOnce: ['key'],
        audit: { action: 'key.rotated', target: { type: 'key' } }
      },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Rotate an API key',
        description: 'Replaces the value. The old value becomes invalid immediately. The id, name and scopes are kept.',
        tags,
        params,
        response: { 200: Ref(ApiKeyWithValue, { description: 'The key with its new value', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.cacheControl('no-store')
      return await apiKeys.rotate(getAccountId(request), request.params.keyId)
    }
  )

  app.patch(
    '/:keyId',
    {
      config: {
        access: sessionAccess,
        errors: ['key_not_found', 'too_many_keys'],
        audit: { action: 'key.updated', target: { type: 'key' }, shows: ['disabled', 'expiresAt'] }
      },
      schema: {
        operationId: 'updateApiKey',
        summary: 'Update an API key',
        description: 'Changes the name, the scopes, the expiry or `disabled`, with immediate effect.',
        tags,
        params,
        body: Ref(ApiKeyPatch),
        response: { 200: Ref(ApiKey, { description: 'The updated key' }) }
      }
    },
    async (request) => await apiKeys.update(getAccountId(request), request.params.keyId, request.body)
  )

  app.delete(
    '/:keyId',
    {
      config: {
        access: sessionAccess,
        errors: ['key_not_found'],
        audit: { action: 'key.deleted', target: { type: 'key' } }
      },
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Delete an API key',
        description: 'The key becomes invalid immediately.',
        tags,
        params,
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      reply.audited = await apiKeys.remove(getAccountId(request), request.params.keyId)
      return await reply.code(204).send(null)
    }
  )
}
export default routes
