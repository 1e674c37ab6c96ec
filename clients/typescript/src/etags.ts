import type { Fetch } from './retry.ts'

/** A response with its ETag, as plain data that can be serialized as JSON. */
export interface StoredResponse {
  etag: string
  contentType: string
  body: string
}

/**
 * Where responses are stored by URL. Implement it to keep them in a file, a database or a cache of
 * the platform. Use one store for one credential: responses depend on the projects of the API key.
 */
export interface EtagStore {
  get: (url: string) => StoredResponse | undefined | Promise<StoredResponse | undefined>
  set: (url: string, response: StoredResponse) => void | Promise<void>
}

const DEFAULT_MAX_CHARACTERS = 16 * 1024 * 1024

/** Stores responses in memory. Beyond `maxCharacters`, those that were not used for the longest time are removed. */
export function memoryEtagStore({ maxCharacters = DEFAULT_MAX_CHARACTERS } = {}): EtagStore {
  const responses = new Map<string, StoredResponse>()
  let characters = 0
  const remove = (url: string): void => {
    characters -= responses.get(url)?.body.length ?? 0
    responses.delete(url)
  }
  return {
    get: (url) => {
      const response = responses.get(url)
      if (response === undefined) return undefined
      // A map is ordered by insertion: the first entry is the one to remove.
      responses.delete(url)
      responses.set(url, response)
      return response
    },
    set: (url, response) => {
      remove(url)
      if (response.body.length > maxCharacters) return
      responses.set(url, response)
      characters += response.body.length
      for (const oldest of responses.keys()) {
        if (characters <= maxCharacters) break
        remove(oldest)
      }
    }
  }
}

/**
 * Sends `If-None-Match` with reads whose response is stored, and answers a 304 with the stored
 * response. Requests with an `If-None-Match` of their own are sent unchanged.
 */
export function withEtags(send: Fetch, store: EtagStore): Fetch {
  return async (request) => {
    if (request.method !== 'GET' || request.headers.has('if-none-match') || request.headers.has('range')) {
      return await send(request)
    }
    const stored = await store.get(request.url)
    if (stored !== undefined) request.headers.set('if-none-match', stored.etag)
    const response = await send(request)
    if (response.status === 304 && stored !== undefined) {
      const headers = new Headers(response.headers)
      headers.set('content-type', stored.contentType)
      return new Response(stored.body, { status: 200, headers })
    }
    const etag = response.headers.get('etag')
    const contentType = response.headers.get('content-type') ?? ''
    if (response.status === 200 && etag !== null && isText(contentType)) {
      await store.set(request.url, { etag, contentType, body: await response.clone().text() })
    }
    return response
  }
}

/** Whether a body of this content type is text, so that it can be stored. */
export const isText = (contentType: string): boolean => /^text\/|^application\/[^;]*(json|xml)/.test(contentType)
