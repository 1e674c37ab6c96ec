import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'

/** The egress proxy with the credentials of a session. */
export interface ProxyCredentials {
  server: string
  username?: string
  password?: string
}

export interface ImageRequests {
  /** Whether an address returns an image. Reads only the headers of the response. */
  isImage: (address: string) => Promise<boolean>
  /** An image as a data URL. Null if the address does not return one, or one of more than 10 MB. */
  download: (address: string) => Promise<string | null>
  close: () => Promise<void>
}

export interface ImageRequestOptions {
  /** Addresses are relative to this URL. */
  base: string
  userAgent: string
  /** Default: direct connections. */
  proxy?: ProxyCredentials
}

const TIMEOUT_MS = 4_000
const MAX_BYTES = 10 * 2 ** 20
const MAX_REDIRECTS = 3

/**
 * Requests images of a page through the egress proxy, whose policy, limits and session apply.
 * Playwright's own client is not used: it decodes whole bodies in memory before it returns.
 */
export function createImageRequests({ base, userAgent, proxy }: ImageRequestOptions): ImageRequests {
  const dispatcher = proxy === undefined ? new Agent() : createProxyAgent(proxy)
  // No content encoding: a small compressed body may decode to gigabytes.
  const headers = { 'user-agent': userAgent, accept: 'image/*,*/*;q=0.8', 'accept-encoding': 'identity' }

  /** The response to a GET request, after redirects. The caller must end its body. */
  async function open(address: string, signal: AbortSignal): Promise<Dispatcher.ResponseData | null> {
    let url = URL.parse(address, base)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (url === null || !/^https?:$/.test(url.protocol)) return null
      const response = await request(url, { dispatcher, headers, signal, headersTimeout: TIMEOUT_MS })
      const { location } = response.headers
      if (![301, 302, 303, 307, 308].includes(response.statusCode) || typeof location !== 'string') return response
      endBody(response)
      url = URL.parse(location, url)
    }
    return null
  }

  /** Null if the address does not load, whatever the reason. */
  async function get<Value>(
    address: string,
    read: (response: Dispatcher.ResponseData) => Promise<Value>
  ): Promise<Value | null> {
    const response = await open(address, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null)
    if (response === null) return null
    try {
      return await read(response)
    } catch {
      return null
    } finally {
      endBody(response)
    }
  }

  return {
    isImage: async (address) => (await get(address, async (response) => imageTypeOf(response) !== null)) ?? false,
    download: async (address) =>
      await get(address, async (response) => {
        const type = imageTypeOf(response)
        const encoding = response.headers['content-encoding'] ?? 'identity'
        if (type === null || encoding !== 'identity') return null
        const body = await readBody(response)
        return body === null ? null : `data:${type};base64,${body.toString('base64')}`
      }),
    async close() {
      await dispatcher.destroy()
    }
  }
}

function createProxyAgent({ server, username = '', password = '' }: ProxyCredentials): ProxyAgent {
  const token = `Basic ${Buffer.from(`${username}:${password}`, 'latin1').toString('base64')}`
  return new ProxyAgent({ uri: server, token })
}

/** The content type of a successful response with an image. */
function imageTypeOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  if (statusCode < 200 || statusCode > 299) return null
  return /^image\/[\w.+-]+/.exec(String(headers['content-type'] ?? ''))?.[0] ?? null
}

/** Null if the body is larger than 10 MB. */
async function readBody({ body }: Dispatcher.ResponseData): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function endBody({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}) // Destroying an unfinished body is an error of the body.
  body.destroy()
}
