import { parameter } from './parts.ts'
import { plainSchema } from './plain-schema.ts'
import type { DraftOperation, Media, Parameter, Reference, RequestBody, RouteFacts, Schema } from './types.ts'

/** Example values of parameters, by name. */
const VALUES: Record<string, unknown> = {
  slug: 'brewing-better-coffee',
  blogId: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11',
  keyId: '0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33',
  projectId: 'harbour-coffee',
  accountId: 'acme',
  filename: 'roaster.webp',
  job: 'deliver-webhooks',
  alt: 'A drum roaster in the morning light'
}

/**
 * What the request takes besides its body: the route's own parameters, and the headers that come
 * with every operation of its sort.
 */
export function parametersOf(
  operation: DraftOperation,
  { method, keepable, facts }: { method: string; keepable: boolean; facts: RouteFacts }
): (Parameter | Reference)[] {
  const own = (operation.parameters ?? []).map((given) =>
    '$ref' in given ? given : plainParameter(given as Parameter)
  )
  if (method === 'post' && (facts.access.kind === 'key' || facts.access.kind === 'session')) {
    own.push(parameter('IdempotencyKey'))
  }
  if (keepable) own.push(parameter('IfNoneMatch'))
  if (operation.responses['206'] !== undefined) own.push(parameter('Range'))
  return own
}

function plainParameter({ schema, ...given }: Parameter): Parameter {
  const name =
    given.in === 'header' ? given.name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase()) : given.name
  const plain: Parameter = { ...given, name, schema: plainSchema(schema) }
  // What has a default may be left out.
  if (plain.in === 'query' && schema.default !== undefined) plain.required = false
  const value = given.example ?? (schema.format === 'uuid' ? VALUES.blogId : VALUES[name])
  return value === undefined ? plain : { ...plain, example: value }
}

/** The body that is taken: as the route's schema says, or of the types that it consumes. */
export function bodyOf(
  operation: DraftOperation,
  { consumes }: RouteFacts,
  example: (schema: Schema, type: string) => Pick<Media, 'example' | 'examples'>
): RequestBody | undefined {
  const declared = operation.requestBody?.content['application/json']?.schema
  if (declared !== undefined) {
    const { schema, required } = withoutNull(plainSchema(declared))
    return { required, content: { 'application/json': { schema, ...example(schema, 'application/json') } } }
  }
  if (consumes.length === 0) return undefined
  return {
    required: true,
    content: Object.fromEntries(consumes.map((type) => [type, { ...mediaOf(type), ...example({}, type) }]))
  }
}

/** A body that may be null may be left out. */
function withoutNull(schema: Schema): { schema: Schema; required: boolean } {
  const choices = schema.anyOf as Schema[] | undefined
  const rest = choices?.filter(({ type }) => type !== 'null')
  if (rest?.length === 1 && rest.length !== choices?.length) return { schema: rest[0]!, required: false }
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    return { schema: { ...schema, type: schema.type.find((type) => type !== 'null') as string }, required: false }
  }
  return { schema, required: true }
}

const binary = { type: 'string', format: 'binary' }

function mediaOf(type: string): Media {
  if (!type.startsWith('multipart/')) {
    return { schema: type.startsWith('text/') || type.includes('ndjson') ? { type: 'string' } : binary }
  }
  const properties = {
    file: { ...binary, description: 'The file' },
    alt: { type: 'string', maxLength: 500, description: 'What the picture shows' },
    filename: { type: 'string', maxLength: 255, description: 'Default: the name that the form gives to the file' }
  }
  return {
    schema: { type: 'object', required: ['file'], properties },
    encoding: { file: { contentType: 'image/jpeg, image/png, image/webp, image/avif, image/gif' } }
  }
}
