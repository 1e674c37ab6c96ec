import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { renderOpenApiDocument } from './openapi.ts'

const NOTICE = '// Generated from docs/openapi.json by `npm run docs`. Do not edit.\n\n'

type Responses = Record<string, Record<string, unknown>>

/** Every error response is a problem document. The client throws it, so one type is enough. */
const ERROR_RESPONSE = {
  description: 'A problem document',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
}

/** The types of the TypeScript client: every path, schema and webhook of the OpenAPI document. */
export async function renderClientTypes(): Promise<string> {
  const document = JSON.parse(await renderOpenApiDocument())
  for (const methods of Object.values<Record<string, { responses?: Responses }>>(document.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation.responses !== undefined) operation.responses = withoutErrors(operation.responses)
    }
  }
  delete document.components.responses
  delete document.components.headers
  const nodes = await openapiTS(document as OpenAPI3, {
    // A field with a default can be left out of a request.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true
  })
  return NOTICE + astToString(nodes)
}

/** The responses without headers and errors, which are the same for most operations and long. */
function withoutErrors(responses: Responses): Responses {
  const successful = Object.entries(responses).filter(([status]) => status < '400')
  const withoutHeaders = successful.map(([status, { headers: _, ...response }]) => [status, response] as const)
  return { ...Object.fromEntries(withoutHeaders), default: ERROR_RESPONSE }
}
