import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { OneOf, ProjectId } from '../schemas/fields.ts'
import { SEO_PLUGINS, SHOP_FORMATS } from '../schemas/product.ts'

export const shopExportQuery = Type.Object(
  {
    projectId: ProjectId(),
    format: OneOf(SHOP_FORMATS),
    seoPlugin: OneOf(SEO_PLUGINS, {
      default: 'yoast',
      description: 'The plugin of WordPress that stores the titles and descriptions of WooCommerce'
    })
  },
  { additionalProperties: false }
)

/** Sets the response headers and returns the lines of a CSV file as a stream. */
export function shopExport(lines: AsyncGenerator<string>, reply: Pick<FastifyReply, 'header'>): never {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('cache-control', 'no-store')
  reply.header('content-disposition', 'attachment; filename="products.csv"')
  // The type provider expects the response schema, not the stream.
  return Readable.from(lines) as never
}
