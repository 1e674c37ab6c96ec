import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Account, AccountPatch, Usage } from '../../../schemas/account.ts'
import { Ref, notStored } from '../../../schemas/fields.ts'
import { getAccountId, sessionAccess } from '../../callers.ts'

const tags = ['Account']

/** The account of the signed-in user. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts, auth, usage } = app.services

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
      config: { access: sessionAccess },
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
        description: 'Returns the state of the rate limit, and the requests of each hour of the last 30 days.',
        tags,
        response: { 200: Ref(Usage, { description: 'The usage', ...notStored }) }
      }
    },
    async (request, reply) => {
      const accountId = getAccountId(request)
      const { limit, remaining, resetAt } = await auth.rateLimitStatus(accountId)
      reply.cacheControl('no-store')
      return { limit, remaining, resetAt: new Date(resetAt).toISOString(), hours: await usage.hours(accountId) }
    }
  )
}
export default routes
