import { EVERYWHERE, headers, knownHeader, type HeaderName } from './parts.ts'
import type { Answer, DraftOperation, Headers, Media, RouteFacts, Schema } from './types.ts'

export interface Nouns {
  schemas: Record<string, Schema>
  example: (
    place: { operationId: string; status: string; type: string },
    schema: Schema
  ) => Pick<Media, 'example' | 'examples'>
}

/**
 * The answers that the route declares, with the headers they carry and an example each; and 304
 * where a copy can still be good.
 */
export function goodAnswers(
  operation: DraftOperation,
  facts: RouteFacts,
  { method, nouns }: { method: string; nouns: Nouns }
): Record<string, Answer> {
  const declared = Object.entries(operation.responses as Record<string, Answer>)
  const answers = Object.fromEntries(
    declared.map(([status, answer]) => {
      const own = ownHeaders(answer.headers ?? {})
      const names = [...EVERYWHERE, ...headersOf({ method, status, answer, facts }, nouns)]
      return [
        status,
        {
          ...answer,
          headers: { ...headers(names), ...own },
          ...(answer.content === undefined ? {} : { content: contentOf(operation.operationId, status, answer.content) })
        }
      ]
    })
  )

  function contentOf(operationId: string, status: string, content: Record<string, Media>): Record<string, Media> {
    // Only what goes well is written in another form than JSON.
    const entries = Object.entries(content).map(
      ([type, media]) => [status.startsWith('2') ? type : 'application/json', media] as const
    )
    return Object.fromEntries(
      entries.map(([type, { schema = {} }]) => [
        type,
        { schema, ...nouns.example({ operationId, status, type }, schema) }
      ])
    )
  }

  const read = answers['200']
  if (method === 'get' && read !== undefined && isStored(read)) {
    answers['304'] = {
      description: 'The copy that If-None-Match names is still good',
      headers: headers([...EVERYWHERE, 'ETag', 'LastModified', 'CacheControl', 'Vary'])
    }
  }
  return answers
}

/**
 * Whether the answer may be kept at all; a route that forbids it declares Cache-Control: no-store.
 */
export const isStored = ({ headers: sent = {} }: Answer) =>
  !Object.entries(sent).some(
    ([name, header]) => name === 'Cache-Control' && 'schema' in header && header.schema?.const === 'no-store'
  )

function headersOf(
  { method, status, answer, facts }: { method: string; status: string; answer: Answer; facts: RouteFacts },
  { schemas }: Nouns
): HeaderName[] {
  if (method === 'post' && facts.access.kind !== 'public') return ['IdempotentReplayed']
  if (method !== 'get' || !isStored(answer) || status === '308') return []
  const reading: HeaderName[] = ['ETag', 'LastModified', 'CacheControl', 'Vary']
  const ranges: HeaderName[] =
    answer.content?.['image/*'] === undefined
      ? []
      : ['AcceptRanges', ...(status === '206' ? ['ContentRange' as const] : [])]
  const noun = answer.content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? ''
  const paged = (schemas[noun]?.properties as object | undefined) ?? {}
  return [...reading, ...ranges, ...('totalPages' in paged ? ['Link' as const] : [])]
}

/** Headers that the route spells itself: ours by reference, unless it fixes the value. */
function ownHeaders(sent: Headers): Headers {
  return Object.fromEntries(
    Object.entries(sent).map(([name, header]) => {
      const known = knownHeader(name)
      const fixed = 'schema' in header && header.schema?.const !== undefined
      return [name, known === undefined || fixed ? header : headers([known])[name]!]
    })
  )
}
