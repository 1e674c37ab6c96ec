import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../../../errors.ts'
import { mapInSlices } from '../../../../lib/async.ts'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { CONTROL_CHARACTERS, isLabel } from '../../../../schemas/formats.ts'
import { Image, ImageList, MAX_IMAGE_BYTES, MAX_IMAGES_PER_BLOG } from '../../../../schemas/image.ts'
import { FileTooLargeError, saveToTemporaryFile, type TemporaryFile } from '../../../../lib/http/temporary-file.ts'
import { keyAccess, getReader } from '../../../callers.ts'

const tags = ['Images']
const params = Type.Object({ blogId: Id() })
/** The headers of a multipart form, in addition to the image. */
const FORM_BYTES = 64 * 1024
const MAX_NAME = 255
const MAX_ALT = 500
/** An upload that was received waits so long for others of the account, in milliseconds. */
const MAX_WAIT_MS = 60_000

/** What the audit log tells about the blog of an image. */
const blogOf = ({ id, title, projectId }: { id: string; title: string; projectId: string }) => ({
  id,
  title,
  projectId
})
const imageRule = <Action extends string>(action: Action, filename: unknown) => ({
  action,
  target: { type: 'blog' as const },
  changes: [{ field: 'image', to: String(filename) }]
})

/** Upload, list and delete the images of a blog. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs, images } = app.services
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { files: 1, fields: 4, parts: 6, headerPairs: 20, fileSize: MAX_IMAGE_BYTES },
    onFile: async function (part) {
      ;(part as { value?: TemporaryFile }).value = await receive(this, part.file, part.filename)
    }
  })
  const received = new WeakMap<object, { file: TemporaryFile; name?: string }>()
  app.addContentTypeParser(
    /^(?:image\/|application\/octet-stream)/,
    async (request: FastifyRequest, body: Readable) => await receive(request, body)
  )
  // Also called if the client has disconnected, unlike onResponse. An upload without its end has no file.
  app.addHook('onSend', async (request) => {
    // The parser of forms reads on after an error: thousands of parts, or of headers, would occupy the event loop.
    request.raw.unpipe()
    request.raw.resume()
    await received.get(request)?.file.remove()
  })

  async function receive(request: object, stream: Readable, name?: string): Promise<TemporaryFile> {
    try {
      const file = await saveToTemporaryFile(stream, MAX_IMAGE_BYTES)
      received.set(request, { file, ...(name === undefined ? {} : { name }) })
      return file
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error
      throw problem('payload_too_large', `The image has more than ${MAX_IMAGE_BYTES} bytes.`)
    }
  }

  app.post(
    '/:blogId/images',
    {
      bodyLimit: MAX_IMAGE_BYTES + FORM_BYTES,
      config: {
        access: keyAccess('blogs:write', 'images'),
        waitsInQueue: true,
        maxWaitMs: MAX_WAIT_MS,
        errors: [
          'blog_not_found',
          'blog_gone',
          'malformed_image',
          'too_many_images',
          'payload_too_large',
          'storage_quota_exceeded',
          'unsupported_media_type',
          'busy'
        ],
        consumes: ['multipart/form-data', 'image/*'],
        audit: ({ added, filename }) => (added === true ? imageRule('blog.image_added', filename) : null)
      },
      schema: {
        operationId: 'uploadBlogImage',
        summary: 'Upload an image',
        description:
          `Accepts JPEG, PNG, WebP, AVIF and GIF files of at most 20 MB, up to ${MAX_IMAGES_PER_BLOG} a blog, ` +
          'as a form with the parts `file` and `alt`, or as the raw body with `?filename=&alt=`. ' +
          'Uploading the same bytes again returns the existing image with status 200, with the new `alt` if one is ' +
          'sent. ' +
          'The text of the blog can refer to the image by its file name.',
        tags,
        params,
        querystring: Type.Object(
          {
            filename: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_NAME })),
            alt: Type.Optional(Type.String({ format: 'label', maxLength: MAX_ALT }))
          },
          { additionalProperties: false }
        ),
        response: {
          200: Ref(Image, { description: 'The existing image' }),
          201: Ref(Image, { description: 'The image', headers: { Location: { type: 'string' } } })
        }
      }
    },
    async (request, reply) => {
      const picture = pictureOf(request.body, { ...request.query, received: received.get(request) })
      const { image, added, blog } = await blogs.addImage(getReader(request), request.params.blogId, picture)
      const response = images.toImageResponse(image)
      reply.audited = { ...blogOf(blog), added, filename: image.filename }
      return await reply
        .code(added ? 201 : 200)
        .header('location', response.url)
        .send(response)
    }
  )

  app.get(
    '/:blogId/images',
    {
      config: { access: keyAccess('images:read', 'images'), errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'listBlogImages',
        summary: 'List the images of a blog',
        tags,
        params,
        response: { 200: Ref(ImageList, { description: 'The images with their available widths' }) }
      }
    },
    async (request) => {
      const records = await blogs.listImages(getReader(request), request.params.blogId)
      return { images: await mapInSlices(records, images.toImageResponse) }
    }
  )

  app.delete(
    '/:blogId/images/:filename',
    {
      config: {
        access: keyAccess('blogs:write', 'images'),
        errors: ['blog_not_found', 'blog_gone', 'image_not_found'],
        audit: ({ filename }) => imageRule('blog.image_deleted', filename)
      },
      schema: {
        operationId: 'deleteBlogImage',
        summary: 'Delete an image',
        tags,
        params: Type.Object({ blogId: Id(), filename: Type.String({ minLength: 1, maxLength: 300 }) }),
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      const { blogId, filename } = request.params
      reply.audited = { ...blogOf(await blogs.removeImage(getReader(request), blogId, filename)), filename }
      return await reply.code(204).send(null)
    }
  )
}
export default routes

/**
 * The image of a raw body or of a form. Throws `invalid_request` that names the part that is missing
 * or too long.
 */
function pictureOf(
  body: unknown,
  given: { filename?: string; alt?: string; received: { file: TemporaryFile; name?: string } | undefined }
): { name: string; alt: string; size: number; load: () => Promise<Buffer> } {
  const file = given.received?.file
  const form: Record<string, unknown> = body === file ? { file } : ((body ?? {}) as Record<string, unknown>)
  const wrong = (pointer: string, code: string, message: string) =>
    problem('invalid_request', `${pointer} ${message}.`, { errors: [{ pointer, code, message }] })
  if (file === undefined || form.file !== file || file.size === 0) {
    throw wrong('/file', 'required', 'is required: send the image as a form part of this name, or as the raw body')
  }
  const unknown = Object.keys(form).find((name) => !['file', 'alt', 'filename'].includes(name))
  if (unknown !== undefined) throw wrong(`/${unknown}`, 'unknown_field', 'is an unknown field; remove it')
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const name = given.filename ?? text(form.filename) ?? text(given.received?.name)
  if (name === undefined) throw wrong('filename', 'required', 'is required with a raw body')
  const alt = given.alt ?? text(form.alt) ?? ''
  if (name.length > MAX_NAME) throw wrong('/filename', 'maxLength', `must have at most ${MAX_NAME} characters`)
  if (alt.length > MAX_ALT) throw wrong('/alt', 'maxLength', `must have at most ${MAX_ALT} characters`)
  if (!isLabel(alt)) throw wrong('/alt', CONTROL_CHARACTERS.code, CONTROL_CHARACTERS.message)
  return { name, alt, size: file.size, load: () => file.read() }
}
