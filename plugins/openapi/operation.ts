import type { ErrorCode } from '../../errors.ts'
import type { Access } from '../auth.ts'
import { normalizeSchema } from '../../lib/openapi/transform.ts'
import type {
  Headers,
  Media,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
  Schema
} from '../../lib/openapi/types.ts'
import { DEMO } from '../../schemas/examples/demo.ts'
import { isListSchema } from '../validation/partial-list.ts'
import { COMMON_HEADERS, findHeader, headerRefs, parameterRef, type HeaderName } from './components.ts'
import { errorCodesOf, problemResponses } from './problems.ts'

/** The route config that the document is made from. */
export interface RouteInfo {
  access: Access
  errors: readonly ErrorCode[]
  consumes: readonly string[]
}
/** An operation as @fastify/swagger creates it from a route schema. */
export interface DraftOperation extends Operation {
  'x-route'?: RouteInfo
}

/** The schemas of the document, and the examples of a media type. */
export interface SchemaCatalog {
  schemas: Record<string, Schema>
  example: (
    place: { operationId: string; status: string; type: string },
    schema: Schema
  ) => Pick<Media, 'example' | 'examples'>
}

/**
 * Completes an operation with what follows from its route: security, parameters, request body,
 * response headers and error responses.
 */
export function completeOperation(
  draft: DraftOperation,
  { method, catalog }: { method: string; catalog: SchemaCatalog }
): Operation {
  const { 'x-route': route, ...declared } = draft
  if (route === undefined) throw new Error(`The operation ${draft.operationId} has no access rule.`)
  const operation: DraftOperation = {
    ...declared,
    responses: normalizeResponses(declared.responses as Record<string, Response>)
  }
  const { operationId, summary, tags } = operation
  const requestBody = requestBodyOf(operation, route, (schema, type) =>
    catalog.example({ operationId, status: 'request', type }, schema)
  )
  const responses = successResponses(operation, route, { method, catalog })
  const parameters = parametersOf(operation, { method, conditional: responses['304'] !== undefined, route })
  const problems = problemResponses(errorCodesOf({ ...operation, requestBody, parameters }, route, method))
  return {
    operationId,
    summary,
    description: [operation.description, describeAccess(route.access)]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    tags,
    ...('scope' in route.access ? { 'x-scope': route.access.scope, 'x-feature': route.access.feature } : {}),
    security: securityOf(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...responses, ...problems }
  }
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case 'key':
      return [{ ApiKeyHeader: [] }, { BearerKey: [] }, { SessionToken: [] }]
    case 'session':
      return [{ SessionToken: [] }, ...(access.scope === undefined ? [] : [{ ApiKeyHeader: [] }, { BearerKey: [] }])]
    default:
      return []
  }
}

const codes = (names: string[]): string[] => names.map((name) => `\`${name}\``)

function describeAccess(access: Access): string {
  switch (access.kind) {
    case 'key':
      return (
        `Requires an API key with the scope ${codes([access.scope, ...access.alternatives]).join(' or ')} ` +
        'or the session token of a signed-in user, ' +
        `and the account feature \`${access.feature}\`.`
      )
    case 'session':
      if (access.scope !== undefined) {
        return (
          'Requires the session token of a signed-in user, or an API key that is not restricted to projects, ' +
          `with the scope \`${access.scope}\`.`
        )
      }
      return access.admin === true
        ? 'Requires the session token of an administrator.'
        : 'Requires the session token of a signed-in user.'
    case 'health':
      return 'Requires no credential. Not rate limited.'
    default:
      return 'Requires no credential.'
  }
}

/** Example values of parameters by name: records of the demo content. */
const EXAMPLE_VALUES: Record<string, unknown> = {
  slug: DEMO.slug,
  blogId: DEMO.blogId,
  blog: DEMO.blogId,
  checkId: DEMO.checkId,
  /** Of a screenshot. */
  name: DEMO.screenshot,
  revision: 1,
  keyId: DEMO.apiKeyId,
  productId: DEMO.productId,
  importId: DEMO.importId,
  webhookId: DEMO.webhookId,
  deliveryId: DEMO.deliveryId,
  recoveryId: DEMO.recoveryId,
  projectId: DEMO.projectId,
  accountId: DEMO.accountId,
  filename: DEMO.imageFilename,
  job: 'deliver-webhooks',
  alt: 'A kettle pours a thin stream into a coral dripper'
}

/** The parameters of the route, and the headers that its kind of operation accepts. */
function parametersOf(
  operation: DraftOperation,
  { method, conditional, route }: { method: string; conditional: boolean; route: RouteInfo }
): (Parameter | Reference)[] {
  const parameters = (operation.parameters ?? []).map((given) =>
    '$ref' in given ? given : normalizeParameter(given as Parameter)
  )
  if (method === 'post' && (route.access.kind === 'key' || route.access.kind === 'session')) {
    parameters.push(parameterRef('IdempotencyKey'))
  }
  if (conditional) parameters.push(parameterRef('IfNoneMatch'))
  if (operation.responses['206'] !== undefined) parameters.push(parameterRef('Range'))
  return parameters
}

function normalizeParameter({ schema, ...given }: Parameter): Parameter {
  const name =
    given.in === 'header' ? given.name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase()) : given.name
  const parameter: Parameter = { ...given, name, schema: normalizeSchema(schema) }
  // A parameter with a default is optional.
  if (parameter.in === 'query' && schema.default !== undefined) parameter.required = false
  const value = given.example ?? EXAMPLE_VALUES[name]
  return value === undefined ? parameter : { ...parameter, example: value }
}

/** The request body, by the schema of the route or by the media types that it consumes. */
function requestBodyOf(
  operation: DraftOperation,
  { consumes }: RouteInfo,
  example: (schema: Schema, type: string) => Pick<Media, 'example' | 'examples'>
): RequestBody | undefined {
  const declared = operation.requestBody?.content['application/json']?.schema
  if (declared !== undefined) {
    const { schema, required } = withoutNull(normalizeSchema(declared))
    return { required, content: { 'application/json': { schema, ...example(schema, 'application/json') } } }
  }
  if (consumes.length === 0) return undefined
  return {
    required: true,
    content: Object.fromEntries(consumes.map((type) => [type, { ...toMedia(type), ...example({}, type) }]))
  }
}

/** A nullable body is optional. */
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

function toMedia(type: string): Media {
  if (!type.startsWith('multipart/')) {
    return { schema: type.startsWith('text/') || type.includes('ndjson') ? { type: 'string' } : binary }
  }
  const properties = {
    file: { ...binary, description: 'The image file' },
    alt: {
      type: 'string',
      maxLength: 500,
      description: 'The alternative text of the image',
      examples: [EXAMPLE_VALUES.alt]
    },
    filename: {
      type: 'string',
      maxLength: 255,
      description: 'The file name. Default: the name of the uploaded file',
      examples: [EXAMPLE_VALUES.filename]
    }
  }
  return {
    schema: { type: 'object', required: ['file'], properties },
    encoding: { file: { contentType: 'image/jpeg, image/png, image/webp, image/avif, image/gif' } }
  }
}

function normalizeResponses(responses: Record<string, Response>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content, ...rest } = response
      if (content === undefined) return [status, rest]
      const media = Object.entries(content).map(([type, { schema = {} }]): [string, Media] => {
        // The description and the headers of the schema belong to the response.
        const { description: _description, headers: _headers, ...bare } = schema
        return [type, { schema: normalizeSchema(bare) }]
      })
      return [status, { ...rest, content: Object.fromEntries(media) }]
    })
  )
}

/** The declared responses with headers and examples, and a 304 for cacheable reads. */
function successResponses(
  operation: DraftOperation,
  route: RouteInfo,
  { method, catalog }: { method: string; catalog: SchemaCatalog }
): Record<string, Response> {
  const { operationId } = operation
  const responses: Record<string, Response> = {}
  for (const [status, response] of Object.entries(operation.responses as Record<string, Response>)) {
    const names = [...COMMON_HEADERS, ...headersOf({ method, status, response, route }, catalog)]
    const headers = { ...headerRefs(names), ...declaredHeaders(response.headers ?? {}) }
    responses[status] = { ...response, headers }
    if (response.content === undefined) continue
    const content = Object.entries(response.content).map(([declaredType, { schema = {} }]): [string, Media] => {
      // `produces` applies to successful responses. Others are JSON.
      const type = status.startsWith('2') ? declaredType : 'application/json'
      return [type, { schema, ...catalog.example({ operationId, status, type }, schema) }]
    })
    responses[status] = { ...responses[status], content: Object.fromEntries(content) }
  }
  const read = responses['200']
  if (method === 'get' && read !== undefined && isCacheable(read)) {
    responses['304'] = {
      description: 'The copy named in If-None-Match is current',
      headers: headerRefs([...COMMON_HEADERS, 'ETag', 'LastModified', 'CacheControl', 'Vary'])
    }
  }
  return responses
}

/** Routes that forbid caching declare the response header `Cache-Control: no-store`. */
const isCacheable = ({ headers = {} }: Response) =>
  !Object.entries(headers).some(
    ([name, header]) => name === 'Cache-Control' && 'schema' in header && header.schema?.const === 'no-store'
  )

function headersOf(
  { method, status, response, route }: { method: string; status: string; response: Response; route: RouteInfo },
  { schemas }: SchemaCatalog
): HeaderName[] {
  if (method === 'post' && route.access.kind !== 'public') return ['IdempotentReplayed']
  if (method !== 'get' || status === '308') return []
  const schema = response.content?.['application/json']?.schema
  const lists: HeaderName[] = schema !== undefined && isListSchema(schema) ? ['OmittedRecords'] : []
  if (!isCacheable(response)) return lists
  const caching: HeaderName[] = ['ETag', 'LastModified', 'CacheControl', 'Vary']
  const ranges: HeaderName[] =
    response.content?.['image/*'] === undefined
      ? []
      : ['AcceptRanges', ...(status === '206' ? ['ContentRange' as const] : [])]
  const schemaName = schema?.$ref?.split('/').at(-1) ?? ''
  const properties = (schemas[schemaName]?.properties as object | undefined) ?? {}
  return [...caching, ...ranges, ...('totalPages' in properties ? ['Link' as const] : []), ...lists]
}

/** The headers that the route declares: as references, unless the route fixes the value. */
function declaredHeaders(declared: Headers): Headers {
  return Object.fromEntries(
    Object.entries(declared).map(([name, header]) => {
      const known = findHeader(name)
      const isFixed = 'schema' in header && header.schema?.const !== undefined
      return [name, known === undefined || isFixed ? header : headerRefs([known])[name]!]
    })
  )
}
