import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { adminAccess } from '../../../callers.ts'

/** The change of SECRETS_KEY, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/reseal',
    {
      config: { access: adminAccess, errors: ['admin_only'] },
      schema: {
        operationId: 'resealSecrets',
        summary: 'Encrypt all signing secrets by the first SECRETS_KEY',
        description:
          'Every signing secret of a webhook, of any account, that another one of the keys has encrypted is encrypted anew by the first. Then the others can be dropped. Harmless while the service runs, and again.',
        tags: ['Administration'],
        response: {
          200: Type.Object(
            {
              webhooks: Type.Integer({ minimum: 0, description: 'Webhooks that were looked at' }),
              reencrypted: Type.Integer({ minimum: 0, description: 'Secrets that are encrypted anew' }),
              unreadable: Type.Integer({
                minimum: 0,
                description: 'Secrets that none of the keys opens; they are left as they are'
              })
            },
            { description: 'How many there were' }
          )
        }
      }
    },
    async () => await app.services.webhooks.rotateKey()
  )
}
export default routes
