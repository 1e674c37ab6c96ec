import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Account, AccountPatch, Usage } from '../../../schemas/account.ts'
import { Ref, notStored } from '../../../schemas/fields.ts'
import { accountOf, sessionAccess } from '../../callers.ts'

const tags = ['Account']

/** The signed-in person's account. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts, auth, usage } = app.services

  app.get(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'getAccount',
        summary: 'Read the account',
        description: 'Its plan, its limit and its features.',
        tags,
        response: { 200: Ref(Account, { description: 'The account' }) }
      }
    },
    async (request) => await accounts.get(accountOf(request))
  )

  app.patch(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'updateAccount',
        summary: 'Change the account',
        tags,
        body: Ref(AccountPatch),
        response: { 200: Ref(Account, { description: 'The account as it is now' }) }
      }
    },
    async (request) => await accounts.update(accountOf(request), request.body)
  )

  app.get(
    '/usage',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'getUsage',
        summary: 'Read the usage',
        description: 'How the limit stands now, and the requests of each hour of the last 30 days.',
        tags,
        response: { 200: Ref(Usage, { description: 'The usage', ...notStored }) }
      }
    },
    async (request, reply) => {
      const accountId = accountOf(request)
      const { limit, remaining, resetAt } = await auth.rateLimitStatus(accountId)
      reply.header('cache-control', 'no-store')
      return { limit, remaining, resetAt: new Date(resetAt).toISOString(), hours: await usage.hours(accountId) }
    }
  )
}
export default routes
