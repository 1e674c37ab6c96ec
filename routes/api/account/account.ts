import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Account, AccountPatch, Usage } from '../../../schemas/account.ts'
import { MAX_ACTIVE_KEYS } from '../../../schemas/api-key.ts'
import { Ref, notStored } from '../../../schemas/fields.ts'
import { MAX_WEBHOOKS } from '../../../schemas/webhook.ts'
import { getAccountId, sessionAccess } from '../../callers.ts'

const tags = ['Account']

/** The account of the signed-in user. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts, apiKeys, auth, storage, usage, webhooks } = app.services

  app.get(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'getAccount',
        summary: 'Retrieve the account',
        description: 'Returns the plan, the limit and the features.',
        tags,
        response: { 200: Ref(Account, { description: 'The account' }) }
      }
    },
    async (request) => await accounts.get(getAccountId(request))
  )

  app.patch(
    '/',
    {
      config: {
        access: sessionAccess,
        audit: { action: 'account.updated', target: { type: 'account' }, shows: ['knownProjectsOnly'] }
      },
      schema: {
        operationId: 'updateAccount',
        summary: 'Update the account',
        tags,
        body: Ref(AccountPatch),
        response: { 200: Ref(Account, { description: 'The updated account' }) }
      }
    },
    async (request) => await accounts.update(getAccountId(request), request.body)
  )

  app.get(
    '/usage',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'getUsage',
        summary: 'Retrieve usage',
        description:
          'Returns what the account stores and may store, the state of the rate limit, ' +
          'and the requests of each hour of the last 30 days.',
        tags,
        response: { 200: Ref(Usage, { description: 'The usage', ...notStored }) }
      }
    },
    async (request, reply) => {
      const accountId = getAccountId(request)
      const { limit, remaining, resetAt } = await auth.rateLimitStatus(accountId)
      reply.cacheControl('no-store')
      const { used, limits } = await storage.usage(accountId)
      const keys = await apiKeys.list(accountId)
      const of = (name: keyof typeof used) => ({ used: used[name], limit: limits[name] })
      return {
        storage: {
          bytes: of('bytes'),
          blogs: of('blogs'),
          products: of('products'),
          images: of('images'),
          apiKeys: { used: keys.filter(({ status }) => status === 'active').length, limit: MAX_ACTIVE_KEYS },
          webhooks: { used: (await webhooks.list(accountId)).length, limit: MAX_WEBHOOKS }
        },
        limit,
        remaining,
        resetAt: new Date(resetAt).toISOString(),
        hours: await usage.hours(accountId)
      }
    }
  )
}
export default routes
