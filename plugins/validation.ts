import { Type, type TSchema } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import type { FieldError } from '../errors.ts'
import { fieldErrors } from './validation/compilers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Validates one of many values in a body. Pointers are relative to the value. */
    fieldErrors: (schema: TSchema, value: unknown) => FieldError[]
  }
}

/** Validates requests. Unknown fields and query parameters are rejected. app.ts sets the compilers of schemas. */
export default fp(
  async (app) => {
    app.decorate('fieldErrors', fieldErrors)
    // Operations without query parameters reject any, as the others reject unknown ones: a misspelled or
    // unsupported filter would otherwise return more than the client asked for.
    app.addHook('onRoute', ({ url, schema }) => {
      if (url.startsWith('/api/') && schema?.operationId !== undefined) {
        schema.querystring ??= Type.Object({}, { additionalProperties: false })
      }
    })
    // Fastify accepts text/plain bodies by default.
    app.removeContentTypeParser('text/plain')
  },
  { name: 'validation' }
)
