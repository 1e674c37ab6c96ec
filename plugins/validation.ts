import type { TSchema } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import type { FieldError } from '../errors.ts'
import { fieldErrors } from './validation/compilers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Validates one of many values in a body. Pointers are relative to the value. */
    fieldErrors: (schema: TSchema, value: unknown) => FieldError[]
  }
}

/** Validates requests. Unknown fields are rejected. app.ts sets the compilers of schemas. */
export default fp(
  async (app) => {
    app.decorate('fieldErrors', fieldErrors)
    // Fastify accepts text/plain bodies by default.
    app.removeContentTypeParser('text/plain')
  },
  { name: 'validation' }
)
