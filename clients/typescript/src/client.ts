import createRawClient, { type Client, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import { type EtagStore, isText, memoryEtagStore, withEtags } from './etags.ts'
import { LISTS, type ListItem, type ListOptions, type ListPath, nextQuery, type Query } from './lists.ts'
import type { paths } from './openapi.ts'
import { ProblemError } from './problem.ts'
import { type Fetch, type RetryOptions, withRetries } from './retry.ts'

export interface ClientOptions {
  /** The URL of the service, such as `https://content.example.com`. */
  url: string
  /** An API key (`svc_pk_…`), or a session token for the endpoints below `/api` that are not of `/api/v1`. */
  key: string
  /** Limits of retries; `false` to send each request once. */
  retry?: RetryOptions | false
  /** Where responses are stored with their ETag. Default: in memory; `false` to store none. */
  etags?: EtagStore | false
  /** The time until the response to one attempt must begin, in seconds. Default: 35. */
  timeoutSeconds?: number
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch
}

type Arguments<Init> = RequiredKeysOf<Init> extends never ? [Init?] : [Init]
type Data<Operation extends Record<string | number, unknown>, Init> = Extract<
  FetchResponse<Operation, Init, MediaType>,
  { data: unknown }
>['data']

/** Sends a request with this method. Resolves with the body of the response, or throws a `ProblemError`. */
export type Method<Name extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Name>,
  Init extends MaybeOptionalInit<paths[Path], Name>
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<Data<paths[Path][Name] & Record<string | number, unknown>, Init>>

export interface ContentClient {
  get: Method<'get'>
  post: Method<'post'>
  patch: Method<'patch'>
  delete: Method<'delete'>
  /** All items of a list, page by page. */
  iterate: <Path extends ListPath>(path: Path, options?: ListOptions<Path>) => AsyncGenerator<ListItem<Path>, void>
  /** The client of openapi-fetch: returns `{ data, error, response }` and throws no `ProblemError`. */
  raw: Client<paths>
}

const PARSERS = {
  json: async (response: Response) => await response.json(),
  text: async (response: Response) => await response.text(),
  blob: async (response: Response) => await response.blob(),
  arrayBuffer: async (response: Response) => await response.arrayBuffer(),
  stream: (response: Response) => response.body
}

/** Creates a client of the service. */
export function createClient(options: ClientOptions): ContentClient {
  const { retry = {}, etags = memoryEtagStore(), timeoutSeconds = 35 } = options
  const base = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const timed = withTimeout(base, timeoutSeconds)
  const retried = retry === false ? timed : withRetries(timed, retry)
  const raw = createRawClient<paths>({
    baseUrl: serviceUrl(options.url),
    headers: credential(options.key),
    fetch: etags === false ? retried : withEtags(retried, etags)
  })

  const call = async (method: HttpMethod, path: string, init: Init = {}): Promise<unknown> => {
    const send = raw.request as unknown as RawRequest
    const { response, error } = await send(method, path, { ...init, parseAs: 'stream' })
    if (!response.ok) throw new ProblemError(response, error)
    return response.status === 204 ? undefined : await PARSERS[init.parseAs ?? kindOf(response)](response)
  }
  const method = <Name extends HttpMethod>(name: Name): Method<Name> =>
    ((path: string, init?: Init) => call(name, path, init)) as Method<Name>

  async function* iterate(path: ListPath, init: Init = {}): AsyncGenerator<unknown, void> {
    let query: Query | null = init.params?.query ?? {}
    while (query !== null) {
      const list = (await call('get', path, { ...init, params: { ...init.params, query } })) as Record<string, unknown>
      const items = list[LISTS[path]] as unknown[]
      yield* items
      query = nextQuery(query, list, items.length)
    }
  }

  return {
    get: method('get'),
    post: method('post'),
    patch: method('patch'),
    delete: method('delete'),
    iterate: iterate as ContentClient['iterate'],
    raw
  }
}

/** The options of a request, whatever its path. */
interface Init {
  params?: { query?: Query }
  parseAs?: keyof typeof PARSERS
}
type RawRequest = (method: HttpMethod, path: string, init: object) => Promise<{ response: Response; error?: unknown }>

function kindOf(response: Response): 'json' | 'text' | 'blob' {
  const contentType = response.headers.get('content-type') ?? ''
  if (/^application\/[^;]*json/.test(contentType)) return 'json'
  return isText(contentType) ? 'text' : 'blob'
}

function serviceUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(
      `url is ${JSON.stringify(url)}. Pass the URL of the service, such as https://content.example.com.`
    )
  }
  return url.replace(/\/$/, '')
}

/** The key as a header. A session token, which is a JSON Web Token, is accepted as a bearer token only. */
function credential(key: string): Record<string, string> {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('key is not an API key. Pass a key, such as the value of the environment variable SVC_KEY.')
  }
  return key.startsWith('ey') ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
}

/** Aborts an attempt whose response does not begin in time. The body may take longer. */
function withTimeout(send: Fetch, seconds: number): Fetch {
  return async (request) => {
    const timeout = new AbortController()
    const timer = setTimeout(() => {
      timeout.abort(new DOMException(`No response from ${request.url} within ${seconds} s.`, 'TimeoutError'))
    }, seconds * 1000)
    try {
      return await send(new Request(request, { signal: AbortSignal.any([request.signal, timeout.signal]) }))
    } finally {
      clearTimeout(timer)
    }
  }
}
