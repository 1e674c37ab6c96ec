import type { OpenApiDocument, Operation, Parameter } from '../../../lib/openapi/types.ts'
import { findExample, type Endpoint } from './schema.ts'

/**
 * A request as a curl command, with the required parameters and those that have an example.
 * Credentials are shell variables, so that they are not written to the shell history.
 */
export function renderCurl({ method, path, operation }: Endpoint, document: OpenApiDocument): string {
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required === true || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${exampleOf(parameter, document)}`)
  const filledPath = path.replace(/\{([^{}]+)\}/g, (_all, name: string) =>
    exampleOf(parameters.find((parameter) => parameter.name === name)!, document)
  )
  const url = `${document.servers[0]?.url}${filledPath}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const [first, ...rest] = [
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    quote(url),
    ...renderCredential(operation),
    ...renderBody(operation, document)
  ]
  return [`curl ${first}`, ...rest].join(' \\\n  ')
}

/** The value of a parameter: its example, its default, or the first of the allowed values. */
function exampleOf({ name, example, schema }: Parameter, { components }: OpenApiDocument): string {
  const { enum: values } = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!
  const [first] = (values as unknown[] | undefined) ?? []
  return encodeURIComponent(String(example ?? schema.default ?? schema.const ?? first ?? name))
}

function renderCredential({ security = [] }: Operation): string[] {
  if (security.some((scheme) => 'ApiKeyHeader' in scheme)) return ['-H "X-Api-Key: $SVC_KEY"']
  return security.some((scheme) => 'SessionToken' in scheme) ? ['-H "Authorization: Bearer $SVC_TOKEN"'] : []
}

function renderBody({ requestBody }: Operation, document: OpenApiDocument): string[] {
  if (requestBody === undefined) return []
  const json = requestBody.content['application/json']
  if (json !== undefined) {
    return ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(findExample(json, document)))}`]
  }
  return 'multipart/form-data' in requestBody.content
    ? ['-F file=@image.jpg', "-F 'alt=Description of the image'"]
    : [`-H 'Content-Type: ${Object.keys(requestBody.content)[0]}'`, '--data-binary @file']
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
