import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Account, AccountAdminPatch } from '../../../../schemas/account.ts'
import { Ref } from '../../../../schemas/fields.ts'
import { adminAccess } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }) })
const config = { access: adminAccess, errors: ['admin_only', 'account_not_found'] as const }

/** Any account, for administrators. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts } = app.services

  app.get(
    '/:accountId',
    {
      config,
      schema: {
        operationId: 'getAnyAccount',
        summary: 'Read any account',
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
      config,
      schema: {
        operationId: 'updateAnyAccount',
        summary: 'Set the plan, the limit or the features of any account',
        description: 'In force when the answer leaves.',
        tags,
        params,
        body: Ref(AccountAdminPatch),
        response: { 200: Ref(Account, { description: 'The account as it is now' }) }
      }
    },
    async (request) => await accounts.update(request.params.accountId, request.body)
  )
}
export default routes
