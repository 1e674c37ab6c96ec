import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { entityTag } from '../../lib/http/conditional.ts'
import type { ContentCoding } from '../../lib/http/negotiation.ts'
import { VERSION } from '../../lib/version.ts'
import type {
  BlogMetadata,
  BlogRecord,
  BlogState,
  BlogTranslationRef,
  PreparedBlog,
  PreparedContent,
  ProjectRecord,
  RecordRef,
  Store
} from '../../ports/store/port.ts'
import type { Blog, BlogListItem } from '../../schemas/blog.ts'
import { toBlogResponse, toListItemResponse, type DeliveryContext } from './responses.ts'

export type PreparedBlogs = ReturnType<typeof createPreparedBlogs>

/** Serialize responses by their schemas. */
export interface BlogSerializers {
  blog: (blog: Blog) => string
  item: (item: BlogListItem) => string
}

/** Larger responses are made at each read that finds none in memory, in bytes with compressed bodies. */
const MAX_STORED_BYTES = 512 * 1024
/** Responses are written together, after so many milliseconds or when there are so many. */
const FLUSH_MS = 50
const FLUSH_COUNT = 50
/** Bytes of responses that are written in one operation: large ones take long to write. */
const WRITTEN_BYTES = 1024 * 1024
/** While a write is slow, further responses are dropped: they are made again. */
const MAX_WAITING = 500
const MAX_WAITING_BYTES = 32 * 1024 * 1024

/**
 * Responses of published blogs that are made once and stored. A response is made for a state of the
 * blog and a *basis*: a digest of everything else that it depends on.
 */
export function createPreparedBlogs({
  store,
  onError
}: {
  store: Store
  /** Receives errors of writes. A response that was not written is made again. */
  onError: (error: unknown) => void
}) {
  let waiting = new Map<string, PreparedBlog>()
  /** Those of replaced ones included. */
  let waitingBytes = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(async () => {
      if (waiting.size === 0) return
      const prepared = [...waiting.values()]
      waiting = new Map()
      waitingBytes = 0
      for (const some of divide(prepared)) {
        await store.blogResponses.save(some).catch(onError)
        // A store in this process has written in this turn of the event loop.
        await setImmediate()
      }
    })
    return writing
  }

  function enqueue(blog: PreparedBlog): void {
    const bytes = bytesOf(blog)
    if (bytes > MAX_STORED_BYTES || waiting.size >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) return
    waiting.set(blog.id, blog)
    waitingBytes += bytes
    if (waiting.size === FLUSH_COUNT) flush().catch(onError)
    else {
      timer ??= setTimeout(() => {
        flush().catch(onError)
      }, FLUSH_MS).unref()
    }
  }

  return {
    /** Makes the response of a blog and writes it in the background. */
    makeContent(
      blog: BlogRecord,
      place: DeliveryContext,
      serialize: BlogSerializers
    ): PreparedBlog & { content: PreparedContent } {
      const body = Buffer.from(serialize.blog(toBlogResponse(blog, place)))
      const content = { etag: entityTag(body, blog.version), body, br: null, gzip: null }
      const { body: _body, ...metadata } = blog
      const item = Buffer.from(serialize.item(toListItemResponse(metadata, place)))
      const prepared = { ...keyOf(blog), basis: basisOf(place), item, content }
      enqueue(prepared)
      return prepared
    },

    /** Makes the element of a list and writes it in the background, unless something newer waits. */
    makeItem(blog: BlogMetadata, place: DeliveryContext, serialize: BlogSerializers['item']): Buffer {
      const item = Buffer.from(serialize(toListItemResponse(blog, place)))
      if (!waiting.has(blog.id)) enqueue({ ...keyOf(blog), basis: basisOf(place), item, content: null })
      return item
    },

    /** Adds a compressed body to the response of a blog and writes it in the background. */
    addCompressed(blog: PreparedBlog & { content: PreparedContent }, coding: ContentCoding, bytes: Buffer): void {
      blog.content[coding] = bytes
      enqueue({ ...blog, content: { ...blog.content } })
    },

    /** Writes the waiting responses. Call it at shutdown. */
    flush
  }
}

const bytesOf = ({ item, content }: PreparedBlog): number =>
  item.length + (content?.body.length ?? 0) + (content?.br?.length ?? 0) + (content?.gzip?.length ?? 0)

/** Divides responses into those of one write each. */
function* divide(prepared: PreparedBlog[]): Generator<PreparedBlog[]> {
  let some: PreparedBlog[] = []
  let bytes = 0
  for (const blog of prepared) {
    if (some.length > 0 && bytes + bytesOf(blog) > WRITTEN_BYTES) {
      yield some
      some = []
      bytes = 0
    }
    some.push(blog)
    bytes += bytesOf(blog)
  }
  yield some
}

const keyOf = ({ accountId, id, version, updatedAt }: RecordRef & BlogState): RecordRef & BlogState => ({
  accountId,
  id,
  version,
  updatedAt
})

const bases = new WeakMap<ProjectRecord, { publicUrl: string; basis: string }>()

/**
 * A digest of what the responses of blogs depend on besides their records: the program, the URL of the
 * service, the settings of the project, and the translations.
 */
export function basisOf({ project, publicUrl, translations }: DeliveryContext): string {
  const basis = project === null ? digest([VERSION, publicUrl]) : basisOfProject(project, publicUrl)
  return translations.length === 0 ? basis : digest([basis, digestOfGroup(translations)])
}

/** By the array, which all blogs of a list that are translations of each other share. */
const digestsOfGroups = new WeakMap<readonly BlogTranslationRef[], string>()

/** Blogs of a list may be translations of each other, and have a hundred of them. */
function digestOfGroup(translations: readonly BlogTranslationRef[]): string {
  const known = digestsOfGroups.get(translations)
  if (known !== undefined) return known
  const made = digest(translations)
  digestsOfGroups.set(translations, made)
  return made
}

function basisOfProject(project: ProjectRecord, publicUrl: string): string {
  const known = bases.get(project)
  if (known?.publicUrl === publicUrl) return known.basis
  // All settings but those that never appear in a response: a new setting is included by default.
  const {
    createdAt: _createdAt,
    nextCheckAt: _nextCheckAt,
    nextCheckPosition: _nextCheckPosition,
    visualCheck: _visualCheck,
    optimize: _optimize,
    ...settings
  } = project
  const basis = digest([VERSION, publicUrl, settings])
  bases.set(project, { publicUrl, basis })
  return basis
}

const digest = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url')
