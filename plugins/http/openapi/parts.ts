import type { Header, Headers, InterfaceDocument, Parameter, Reference } from './types.ts'

const text = { type: 'string' }
const whole = { type: 'integer', minimum: 0 }

/**
 * Headers of answers, spelled once. Keys are the names that components have; `name` is what is
 * sent.
 */
const HEADERS = {
  RateLimitLimit: {
    name: 'X-RateLimit-Limit',
    description: 'Most requests in the window of one hour',
    schema: whole,
    example: 500
  },
  RateLimitRemaining: {
    name: 'X-RateLimit-Remaining',
    description: 'Requests that are left in the window',
    schema: whole,
    example: 487
  },
  RateLimitReset: {
    name: 'X-RateLimit-Reset',
    description: 'When the limit resets, in Unix seconds',
    schema: whole,
    example: 1_790_000_000
  },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    description: 'The same limit as draft-ietf-httpapi-ratelimit-headers writes it',
    schema: text,
    example: '"sage";q=500;w=3600'
  },
  RateLimitState: {
    name: 'RateLimit',
    description: 'What is left of it, and the seconds until it resets',
    schema: text,
    example: '"sage";r=487;t=1260'
  },
  RequestId: {
    name: 'X-Request-Id',
    description: 'What to tell the operator about this request',
    schema: text,
    example: '9f1c2ab47d3e-4k'
  },
  ETag: {
    name: 'ETag',
    description: 'The version of what is answered; send it back in If-None-Match, or in If-Match with a change',
    schema: text,
    example: '"v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
  },
  LastModified: {
    name: 'Last-Modified',
    description: 'When it last changed',
    schema: text,
    example: 'Sat, 31 Jan 2026 09:00:00 GMT'
  },
  CacheControl: {
    name: 'Cache-Control',
    description: 'How long the answer may be kept, and by whom',
    schema: text,
    example: 'private, max-age=60, stale-while-revalidate=600'
  },
  Vary: {
    name: 'Vary',
    description: 'The request headers on which the answer depends',
    schema: text,
    example: 'Authorization, X-Api-Key, Accept-Encoding'
  },
  Link: {
    name: 'Link',
    description: 'The first, previous, next and last page (RFC 8288)',
    schema: text,
    example: '</api/v1/blogs?page=2>; rel="next", </api/v1/blogs?page=7>; rel="last"'
  },
  Location: {
    name: 'Location',
    description: 'The address of what the answer is about',
    schema: text,
    example: '/api/v1/blogs/brewing-better-coffee'
  },
  RetryAfter: { name: 'Retry-After', description: 'Seconds to wait before the next try', schema: whole, example: 30 },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    description: 'The credential that is asked for (RFC 9110)',
    schema: text,
    example: 'Bearer realm="api"'
  },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: 'true when this is the answer of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
    example: 'true'
  },
  AcceptRanges: {
    name: 'Accept-Ranges',
    description: 'Parts may be asked for with Range',
    schema: text,
    example: 'bytes'
  },
  ContentRange: {
    name: 'Content-Range',
    description: 'Which part of how many bytes this is',
    schema: text,
    example: 'bytes 0-1023/48213'
  }
} satisfies Record<string, Header & { name: string }>
export type HeaderName = keyof typeof HEADERS

/** On every answer there is. */
export const EVERYWHERE: readonly HeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimitPolicy',
  'RateLimitState',
  'RequestId'
]

/** References to headers, by the names under which they are sent. */
export function headers(names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((key) => [HEADERS[key].name, { $ref: `#/components/headers/${key}` }]))
}

/** The header that is sent under this name, where it is one of ours. */
export function knownHeader(name: string): HeaderName | undefined {
  return (Object.keys(HEADERS) as HeaderName[]).find((key) => HEADERS[key].name.toLowerCase() === name.toLowerCase())
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to repeat for 24 hours: 16 to 255 visible ASCII characters, new for each thing that is done',
    schema: { type: 'string', pattern: '^"?[!-~]{16,255}"?$' },
    example: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11'
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the copy that you have; 304 when it is still good',
    schema: text,
    example: '"v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"'
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'The part of the bytes that is wanted (RFC 9110, section 14)',
    schema: text,
    example: 'bytes=0-1023'
  }
} satisfies Record<string, Parameter>

export const parameter = (name: keyof typeof PARAMETERS): Reference => ({ $ref: `#/components/parameters/${name}` })

const SECURITY_SCHEMES = {
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key.' },
  BearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'The same API key, as a bearer token.'
  },
  SessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The session token of a signed-in person, issued by the identity provider of the operator.'
  }
}

/** The parts that operations refer to; what none of them uses is taken out at the end. */
export function sharedParts(): Pick<InterfaceDocument['components'], 'headers' | 'parameters' | 'securitySchemes'> {
  const bare = Object.entries(HEADERS).map(([key, { name: _name, ...header }]) => [key, header] as const)
  return { headers: Object.fromEntries(bare), parameters: { ...PARAMETERS }, securitySchemes: { ...SECURITY_SCHEMES } }
}
