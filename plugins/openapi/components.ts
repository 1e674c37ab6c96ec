import { DEMO } from '../../schemas/examples/demo.ts'
import type { Header, Headers, OpenApiDocument, Parameter, Reference } from '../../lib/openapi/types.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Response headers by component name. `name` is the name on the wire. */
const HEADERS = {
  RateLimitLimit: {
    name: 'X-RateLimit-Limit',
    description: 'The maximum number of requests per hour',
    schema: count,
    example: 500
  },
  RateLimitRemaining: {
    name: 'X-RateLimit-Remaining',
    description: 'The number of requests left in the current window',
    schema: count,
    example: 487
  },
  RateLimitReset: {
    name: 'X-RateLimit-Reset',
    description: 'The time when the window resets, in Unix seconds',
    schema: count,
    example: 1_790_000_000
  },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    description: 'The limit and its window, as defined by draft-ietf-httpapi-ratelimit-headers',
    schema: text,
    example: '"sage";q=500;w=3600'
  },
  RateLimitState: {
    name: 'RateLimit',
    description: 'The remaining requests and the seconds until the reset',
    schema: text,
    example: '"sage";r=487;t=1260'
  },
  RequestId: {
    name: 'X-Request-Id',
    description: 'The id of this request. Include it when you contact the operator',
    schema: text,
    example: '9f1c2ab47d3e-4k'
  },
  ETag: {
    name: 'ETag',
    description: 'The version of the response, for If-None-Match, or for If-Match with a change',
    schema: text,
    example: '"v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
  },
  LastModified: {
    name: 'Last-Modified',
    description: 'The time of the last change',
    schema: text,
    example: 'Sat, 31 Jan 2026 09:00:00 GMT'
  },
  CacheControl: {
    name: 'Cache-Control',
    description: 'Whether and for how long the response may be cached',
    schema: text,
    example: 'private, max-age=60, stale-while-revalidate=600'
  },
  Vary: {
    name: 'Vary',
    description: 'The request headers that the response depends on',
    schema: text,
    example: 'Authorization, X-Api-Key, Accept-Encoding'
  },
  Link: {
    name: 'Link',
    description: 'The URLs of the first, previous, next and last page (RFC 8288)',
    schema: text,
    example: '</api/v1/blogs?page=2>; rel="next", </api/v1/blogs?page=7>; rel="last"'
  },
  OmittedRecords: {
    name: 'X-Omitted-Records',
    description: 'The number of records that are left out because they are invalid. Absent if the list is complete',
    schema: count,
    example: 1
  },
  Location: {
    name: 'Location',
    description: 'The URL of the resource',
    schema: text,
    example: `/api/v1/blogs/${DEMO.slug}`
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'The number of seconds to wait before the next request',
    schema: count,
    example: 30
  },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    description: 'The required credential (RFC 9110)',
    schema: text,
    example: 'Bearer realm="api"'
  },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: 'true for a replayed response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
    example: 'true'
  },
  AcceptRanges: {
    name: 'Accept-Ranges',
    description: 'The accepted range unit',
    schema: text,
    example: 'bytes'
  },
  ContentRange: {
    name: 'Content-Range',
    description: 'The returned byte range and the total size',
    schema: text,
    example: 'bytes 0-1023/48213'
  }
} satisfies Record<string, Header & { name: string }>
export type HeaderName = keyof typeof HEADERS

/** The headers of every response. */
export const COMMON_HEADERS: readonly HeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimitPolicy',
  'RateLimitState',
  'RequestId'
]

/** References to headers, keyed by their names on the wire. */
export function headerRefs(names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((key) => [HEADERS[key].name, { $ref: `#/components/headers/${key}` }]))
}

/** The component of a header on the wire, if there is one. */
export function findHeader(name: string): HeaderName | undefined {
  return (Object.keys(HEADERS) as HeaderName[]).find((key) => HEADERS[key].name.toLowerCase() === name.toLowerCase())
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters',
    schema: { type: 'string', pattern: '^"?[!-~]{16,255}"?$' },
    example: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11'
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of your copy. The response is 304 while the copy is current',
    schema: text,
    example: '"v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'The requested byte range (RFC 9110, section 14)',
    schema: text,
    example: 'bytes=0-1023'
  }
} satisfies Record<string, Parameter>

export const parameterRef = (name: keyof typeof PARAMETERS): Reference => ({ $ref: `#/components/parameters/${name}` })

const SECURITY_SCHEMES = {
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key.' },
  BearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'An API key, sent as a bearer token.'
  },
  SessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "The session token of a signed-in user, issued by the operator's identity provider."
  }
}

/** The shared components. Unused ones are removed from the finished document. */
export function sharedComponents(): Pick<OpenApiDocument['components'], 'headers' | 'parameters' | 'securitySchemes'> {
  const headers = Object.entries(HEADERS).map(([key, { name: _name, ...header }]) => [key, header] as const)
  return {
    headers: Object.fromEntries(headers),
    parameters: { ...PARAMETERS },
    securitySchemes: { ...SECURITY_SCHEMES }
  }
}
