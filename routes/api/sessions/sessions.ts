import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Ref, notStored } from '../../../schemas/fields.ts'
import { Session, SessionInput } from '../../../schemas/session.ts'

/** Signing in to the console. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { signInLinks } = app.services

  app.post(
    '/',
    {
      // The token of a link is short, and anybody may send it.
      bodyLimit: 4096,
      config: {
        access: { kind: 'public' },
        errors: ['unauthenticated'],
        audit: ({ accountId, reason }) => ({
          accountId: accountId as string,
          target: { type: 'session', id: null },
          ...(reason === undefined
            ? { action: 'session.created', changes: [] }
            : { action: 'session.rejected', changes: [{ field: 'reason', to: reason as string }] })
        })
      },
      schema: {
        operationId: 'createSession',
        summary: 'Sign in by a link',
        description:
          'Exchanges the token of a sign-in link for a session token. ' +
          '`npm start` and `svc console` print such links. ' +
          'A link can be used once, within 15 minutes; the session lasts 8 hours.',
        tags: ['Sessions'],
        body: Ref(SessionInput),
        response: { 201: Ref(Session, { description: 'The session', ...notStored }) }
      }
    },
    async (request, reply) => {
      reply.code(201).cacheControl('no-store')
      return await signInLinks.exchange(request.body.linkToken, (link) => {
        reply.audited = link
      })
    }
  )
}
export default routes
