import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ApiKey, ApiKeyInput, ApiKeyList, ApiKeyPatch, ApiKeyWithValue } from '../../../schemas/api-key.ts'
import { Id, Ref, notStored } from '../../../schemas/fields.ts'
import { accountOf, sessionAccess } from '../../callers.ts'

const tags = ['API keys']
const params = Type.Object({ keyId: Id() })

/** Key management by the signed-in person. A value is shown when it is made, and never again. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { apiKeys } = app.services

  app.post(
    '/',
    {
      config: { access: sessionAccess, errors: ['too_many_keys'], shownOnce: ['key'] },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create a key',
        description: 'All five scopes, unless scopes says otherwise. Keep the value: it cannot be read again.',
        tags,
        body: Ref(ApiKeyInput),
        response: { 201: Ref(ApiKeyWithValue, { description: 'The key, with its value', ...notStored }) }
      }
    },
    async (request, reply) => {
      const key = await apiKeys.create(accountOf(request), request.body)
      return await reply.code(201).header('cache-control', 'no-store').send(key)
    }
  )

  app.get(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List the keys',
        description: 'Never with a value.',
        tags,
        response: { 200: Ref(ApiKeyList, { description: 'The keys, oldest first', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { keys: await apiKeys.list(accountOf(request)) }
    }
  )

  app.post(
    '/:keyId/rotate',
    {
      config: { access: sessionAccess, errors: ['key_not_found', 'rotation_conflict'], shownOnce: ['key'] },
      schema: {
        operationId: 'rotateApiKey',
        summary: "Replace a key's value",
        description: 'The old value is dead when the answer leaves. Id, name and scopes stay.',
        tags,
        params,
        response: { 200: Ref(ApiKeyWithValue, { description: 'The key, with its new value', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await apiKeys.rotate(accountOf(request), request.params.keyId)
    }
  )

  app.patch(
    '/:keyId',
    {
      config: { access: sessionAccess, errors: ['key_not_found', 'too_many_keys'] },
      schema: {
        operationId: 'updateApiKey',
        summary: 'Change a key',
        description: 'Its name, scopes, expiry, or whether it is disabled; in force when the answer leaves.',
        tags,
        params,
        body: Ref(ApiKeyPatch),
        response: { 200: Ref(ApiKey, { description: 'The key as it is now' }) }
      }
    },
    async (request) => await apiKeys.update(accountOf(request), request.params.keyId, request.body)
  )

  app.delete(
    '/:keyId',
    {
      config: { access: sessionAccess, errors: ['key_not_found'] },
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Delete a key',
        description: 'It is dead when the answer leaves.',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is deleted' }) }
      }
    },
    async (request, reply) => {
      await apiKeys.remove(accountOf(request), request.params.keyId)
      return await reply.code(204).send(null)
    }
  )
}
export default routes
