import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { adminAccess } from '../../../callers.ts'

/** Rotation of SECRETS_KEY, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/rotate-key',
    {
      config: {
        access: adminAccess,
        errors: ['admin_only'],
        audit: ({ reencrypted }) => ({
          action: 'secrets.reencrypted',
          target: { type: 'service', id: null },
          changes: [{ field: 'reencrypted', to: reencrypted as number }]
        })
      },
      schema: {
        operationId: 'rotateSecretsKey',
        summary: 'Re-encrypt signing secrets',
        description:
          'Re-encrypts the signing secrets of all webhooks with the first key of SECRETS_KEY. ' +
          'The other keys can be removed afterwards. Safe to repeat, and safe while the service is running.',
        tags: ['Administration'],
        response: {
          200: Type.Object(
            {
              webhooks: Type.Integer({ minimum: 0, description: 'The number of examined webhooks' }),
              reencrypted: Type.Integer({ minimum: 0, description: 'The number of re-encrypted secrets' }),
              unreadable: Type.Integer({
                minimum: 0,
                description: 'The number of secrets that no key decrypts. They are left unchanged'
              })
            },
            { description: 'The result' }
          )
        }
      }
    },
    async () => await app.services.webhooks.rotateKey()
  )
}
export default routes
