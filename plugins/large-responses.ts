import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { ownerOf } from '../lib/http/request-owner.ts'
import { createRequestSlots } from '../lib/http/request-slots.ts'
import { createResponseMemory } from '../lib/http/response-memory.ts'

/** A list of many records, a single blog, which may have megabytes, or a file of the service. */
export type LargeResponse = 'list' | 'blog' | 'file'

type IsLarge = (request: FastifyRequest) => LargeResponse | null

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Waits until the client may get an image of so many bytes. To be called before its file is opened. Throws `busy`.
     */
    startImage: (request: FastifyRequest, reply: FastifyReply, bytes: number) => Promise<void>
    /**
     * Waits until the page of a preview of the owner may be made. To be called before the blog is read. Throws `busy`.
     */
    startPreview: (start: { request: FastifyRequest; reply: FastifyReply; owner: string }) => Promise<void>
  }
  interface FastifyContextConfig {
    /**
     * Much data is read or written. An account has a few such requests in progress at a time. A function
     * tells it for each request; null: its response is small, or stored for all requests.
     */
    large?: LargeResponse | IsLarge
  }
}

/**
 * `running`: what requests of an account in progress may count together; `waiting`: requests that may wait for them.
 * More get 503, and so does one that waits for longer than `maxWaitMs`, because the store may not respond.
 */
const LIMITS = {
  list: { running: 16, waiting: 100, maxWaitMs: 2_000 },
  /** A blog of a megabyte needs about 6 MB while its response is made, and 2 MB until it has been sent. */
  blog: { running: 16, waiting: 200, maxWaitMs: 10_000 },
  /**
   * Of the previews of an account. They are requested without a key, so any number of clients can: those that wait
   * send no further requests meanwhile.
   */
  preview: { running: 8, waiting: 2_000, maxWaitMs: 10_000 },
  /**
   * A large image that is being sent has up to 130 KB and an open file, and the system buffers megabytes of it. All
   * clients behind an address share these.
   */
  image: { waiting: 1_000, maxWaitMs: 30_000 },
  /** Thousands that are opened and read at the same time make long turns of the event loop. */
  file: { running: 64, waiting: 1_000, maxWaitMs: 30_000 }
} as const

/** A list of 32 million characters needs about 100 MB while it is made, and a third of it until it has been sent. */
const LIST_WEIGHT = 4
/** A page of so few records has at most some 3 million, and counts as 1. */
const SMALL_PAGE = 20

/**
 * Of all accounts together: lists with content that are made at a time, and bytes of lists and blogs that clients have
 * not taken. Each account alone could have 128 MB. When there are more, a client is disconnected that would need longer
 * than `SLOW_MS` for the rest of its response, or a third of that when there are twice as many: 32 MB in 10 seconds.
 */
const MAKING = 4
const MAX_UNSENT_BYTES = 192 * 1024 * 1024
const SLOW_MS = 30_000
const MIN_MS = 2_000
const MAX_MAKING_WAIT_MS = 10_000
const LARGE_RESPONSE_BYTES = 256 * 1024

/** The buffers of a connection take the rest of a smaller image at once. */
const LARGE_IMAGE_BYTES = 256 * 1024

const ADVICE = {
  list: 'Too many requests for lists, or for changes of many records, are in progress. Try again.',
  blog: 'Too many blogs are requested or changed at the same time. Try again.',
  preview: 'Too many previews of this account are requested at the same time. Try again.',
  image: 'Too many images are requested at the same time. Try again.',
  file: 'Too many files are requested at the same time. Try again.'
} as const

interface Start {
  request: FastifyRequest
  reply: FastifyReply
  /** Default: the caller. */
  owner?: string
  weight?: number
}

/**
 * Limits the memory of large responses: each account, or address without one, has a few in progress, until they
 * have been sent. A client that reads slowly, or not at all, delays only further requests of its account. The memory
 * of all accounts together is limited as well.
 */
export default fp(
  async (app) => {
    const slots = {
      list: createRequestSlots(LIMITS.list),
      blog: createRequestSlots(LIMITS.blog),
      preview: createRequestSlots(LIMITS.preview),
      image: createRequestSlots({ ...LIMITS.image, running: app.config.IMAGE_DOWNLOADS_PER_CLIENT }),
      file: createRequestSlots(LIMITS.file)
    }

    const memory = createResponseMemory({
      making: MAKING,
      maxUnsentBytes: MAX_UNSENT_BYTES,
      slowMs: SLOW_MS,
      minMs: MIN_MS,
      onDisconnect: (owner, bytes) =>
        app.log.warn({ owner, bytes }, 'Disconnected a client that did not read its response')
    })
    /** What has to be called when a list with content has been made. */
    const made = new WeakMap<FastifyRequest, () => void>()
    /** The owners of responses that do not belong to the caller. */
    const owners = new WeakMap<FastifyRequest, string>()

    async function start(kind: keyof typeof slots, { request, reply, owner, weight = 1 }: Start): Promise<void> {
      if (owner !== undefined) owners.set(request, owner)
      if (await slots[kind].start({ request, connection: reply.raw }, owner ?? ownerOf(request), weight)) return
      throw problem('busy', ADVICE[kind], { headers: { 'Retry-After': '1' } })
    }

    app.addHook('preHandler', async (request, reply) => {
      const { routeConfig } = request
      const large = typeof routeConfig.large === 'function' ? routeConfig.large(request) : routeConfig.large
      if (large === undefined || large === null) return
      const weight = large === 'list' && !isSmallPage(request) ? LIST_WEIGHT : 1
      await start(large, { request, reply, weight })
      if (large !== 'list' || !hasContent(request)) return
      const end = await memory.start(ownerOf(request), reply.raw, MAX_MAKING_WAIT_MS)
      if (end === null) throw problem('busy', ADVICE.list, { headers: { 'Retry-After': '1' } })
      made.set(request, end)
    })

    app.decorate('startImage', async (request, reply, bytes) => {
      if (bytes > LARGE_IMAGE_BYTES) await start('image', { request, reply })
    })
    app.decorate('startPreview', async (begun) => await start('preview', begun))

    app.addHook('onSend', async (request, reply, payload) => {
      for (const kind of Object.values(slots)) kind.end(request)
      made.get(request)?.()
      if (request.routeConfig.large !== undefined && lengthOf(payload) > LARGE_RESPONSE_BYTES) {
        memory.send(owners.get(request) ?? ownerOf(request), reply.raw)
      }
    })
  },
  { name: 'large-responses', dependencies: ['config', 'auth', 'request-context', 'write-delays'] }
)

const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0

/** Whether a request is for a page of a few records. `include` adds megabytes to each of them. */
function isSmallPage({ query }: FastifyRequest): boolean {
  const { pageSize, include } = query as { pageSize?: number; include?: unknown }
  return pageSize !== undefined && pageSize <= SMALL_PAGE && include === undefined
}

const hasContent = ({ query }: FastifyRequest): boolean => (query as { include?: unknown }).include !== undefined
