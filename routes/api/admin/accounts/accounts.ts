import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Account, AccountAdminPatch } from '../../../../schemas/account.ts'
import { Ref } from '../../../../schemas/fields.ts'
import { adminAccess } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }) })
const config = { access: adminAccess, errors: ['admin_only', 'account_not_found'] as const }

/** Accounts, for administrators. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts } = app.services

  app.get(
    '/:accountId',
    {
      config,
      schema: {
        operationId: 'getAnyAccount',
        summary: 'Retrieve an account',
        tags,
        params,
        response: { 200: Ref(Account, { description: 'The account' }) }
      }
    },
    async (request) => await accounts.get(request.params.accountId)
  )

  app.patch(
    '/:accountId',
    {
      config: {
        ...config,
        audit: {
          action: 'account.updated',
          target: { type: 'account' },
          shows: ['plan', 'requestsPerHour', 'countNotModified', 'knownProjectsOnly']
        }
      },
      schema: {
        operationId: 'updateAnyAccount',
        summary: 'Update an account',
        description: 'Changes the plan, the limit or the features, with immediate effect.',
        tags,
        params,
        body: Ref(AccountAdminPatch),
        response: { 200: Ref(Account, { description: 'The updated account' }) }
      }
    },
    async (request) => await accounts.update(request.params.accountId, request.body)
  )
}
export default routes
