import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../../../../errors.ts'
import { IMAGE_FORMATS, IMAGE_WIDTHS, type ImageFormat } from '../../../../../schemas/image-options.ts'
import { isNotModified } from '../../../../../lib/http/conditional.ts'
import { parseRange } from '../../../../../lib/http/range.ts'

/** Public images, for browsers on any origin. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { auth, images } = app.services

  app.get(
    '/:blogId/:filename',
    {
      config: {
        access: { kind: 'public', image: true },
        errors: ['image_not_found', 'unknown_image_variant', 'range_not_satisfiable', 'busy']
      },
      schema: {
        operationId: 'getBlogImage',
        summary: 'Retrieve an image',
        description: [
          'Images are never enlarged. `format=auto` follows the Accept header.',
          'Requests for images that exist are not limited.',
          'The rate limit counts sizes and formats that have to be created.',
          `Widths: ${IMAGE_WIDTHS.join(', ')}. Formats: ${IMAGE_FORMATS.join(', ')}.`
        ].join(' '),
        tags: ['Images'],
        params: Type.Object({ blogId: Type.String({ maxLength: 64 }), filename: Type.String({ maxLength: 300 }) }),
        querystring: Type.Object(
          {
            w: Type.Optional(Type.String({ description: `One of ${IMAGE_WIDTHS.join(', ')}`, examples: ['640'] })),
            format: Type.Optional(
              Type.String({ description: `One of ${IMAGE_FORMATS.join(', ')}`, examples: ['auto'] })
            ),
            token: Type.Optional(
              Type.String({
                maxLength: 200,
                description: 'The token of a preview link, for an unpublished blog'
              })
            )
          },
          { additionalProperties: false }
        ),
        produces: ['image/*'],
        response: {
          200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The image' }),
          206: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The requested range' })
        }
      }
    },
    async (request, reply) => {
      const { w, format, token } = request.query
      const variant = {
        width: oneOf('w', w, IMAGE_WIDTHS),
        format: oneOf('format', format, IMAGE_FORMATS) as ImageFormat | 'auto' | undefined
      }
      const image = await images.deliver({
        ...request.params,
        ...variant,
        accept: request.headers.accept,
        token,
        beforeCreate: () => auth.countImageVariant(request.ip)
      })
      reply.type(image.type).headers({
        etag: image.etag,
        'cache-control': image.preview
          ? 'no-store'
          : image.immutable
            ? 'public, max-age=31536000, immutable'
            : 'public, max-age=60',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': app.exposedHeaders
      })
      if (image.lastModified !== null) reply.header('last-modified', image.lastModified)
      if (image.variesByAccept) reply.header('vary', 'Accept')
      if (image.preview) reply.header('x-robots-tag', 'noindex')
      if (request.method === 'HEAD') return await reply.header('content-length', image.size).send(Readable.from([]))
      const range = parseRange(request.headers, { size: image.size, etag: image.etag })
      if (range === 'unsatisfiable') {
        throw problem('range_not_satisfiable', `The image has ${image.size} bytes.`, {
          headers: { 'Content-Range': `bytes */${image.size}` }
        })
      }
      const isCurrent = isNotModified(request.headers, {
        etag: image.etag,
        lastModified: image.lastModified ?? undefined
      })
      if (!isCurrent) await app.startImage(request, reply, range === null ? image.size : range.end - range.start + 1)
      if (range === null) return await reply.header('content-length', image.size).send(await image.open())
      reply.code(206).headers({
        'content-range': `bytes ${range.start}-${range.end}/${image.size}`,
        'content-length': range.end - range.start + 1
      })
      return await reply.send(await image.open(range))
    }
  )
}
export default routes

function oneOf<T extends string | number>(name: string, given: string | undefined, list: readonly T[]): T | undefined {
  if (given === undefined) return undefined
  const found = list.find((value) => String(value) === given)
  if (found !== undefined) return found
  const message = `must be one of ${list.join(', ')}`
  throw problem('unknown_image_variant', `${name} ${message}.`, {
    errors: [{ pointer: name, code: 'not_allowed', message }]
  })
}
