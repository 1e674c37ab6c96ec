import type { Document, Entry } from './document.ts'
import { exampleOf } from './media.ts'

/**
 * The request as a command for a shell; the credential is a variable, so that it is not typed into
 * the history.
 */
export function curl({ method, path, operation }: Entry, document: Document): string {
  const given = (operation.parameters ?? []).flatMap((one) => ('$ref' in one ? [] : [one]))
  const value = (name: string) => encodeURIComponent(String(given.find((one) => one.name === name)?.example ?? name))
  const query = given
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name }) => `${name}=${value(name)}`)
  const address = `${document.servers[0]?.url}${path.replace(/\{([^}]+)\}/g, (_all, name: string) => value(name))}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return [
    'curl',
    method === 'get' ? '' : `-X ${method.toUpperCase()}`,
    quoted(address),
    ...credential(operation),
    ...body(operation, document)
  ]
    .filter((part) => part !== '')
    .join(' \\\n  ')
    .replace('curl \\\n  ', 'curl ')
}

function credential({ security = [] }: Entry['operation']): string[] {
  if (security.some((choice) => 'ApiKeyHeader' in choice)) return ['-H "X-Api-Key: $SVC_KEY"']
  return security.some((choice) => 'SessionToken' in choice) ? ['-H "Authorization: Bearer $SVC_TOKEN"'] : []
}

function body({ requestBody }: Entry['operation'], document: Document): string[] {
  if (requestBody === undefined) return []
  const json = requestBody.content['application/json']
  if (json !== undefined) {
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(json, document)))}`]
  }
  return 'multipart/form-data' in requestBody.content
    ? ['-F file=@picture.jpg', "-F 'alt=What the picture shows'"]
    : [`-H 'Content-Type: ${Object.keys(requestBody.content)[0]}'`, '--data-binary @file']
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
