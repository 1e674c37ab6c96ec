import type { FastifyInstance } from 'fastify'

/** The OpenAPI document that the pages show. */
export type Document = ReturnType<FastifyInstance['openApiDocument']>

/** One operation of it and where it stands. */
export interface Entry {
  method: string
  path: string
  operation: NonNullable<Document['paths'][string]['get']>
}
