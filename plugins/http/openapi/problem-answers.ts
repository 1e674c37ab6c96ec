import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { EVERYWHERE, headers, type HeaderName } from './parts.ts'
import type { Answer, DraftOperation, RouteFacts } from './types.ts'

const CHANGES_ONCE: readonly ErrorCode[] = ['request_in_progress', 'idempotency_key_reused', 'invalid_idempotency_key']

/**
 * Every refusal that an operation may answer: what its route names, and what follows from who may
 * call it and what it takes.
 */
export function refusalsOf(operation: DraftOperation, facts: RouteFacts, method: string): ErrorCode[] {
  const { access } = facts
  const codes: ErrorCode[] = ['credential_in_query', 'internal', 'unavailable', ...facts.errors]
  if (operation.requestBody !== undefined) codes.push('payload_too_large', 'unsupported_media_type')
  if (operation.requestBody?.content['application/json'] !== undefined) codes.push('malformed_json')
  if (operation.requestBody !== undefined || (operation.parameters ?? []).length > 0) codes.push('invalid_request')
  // A probe is never refused for the number of its requests.
  if (access.kind !== 'health') codes.push('rate_limited')
  if (access.kind === 'key' || access.kind === 'session') {
    codes.push('unauthenticated', 'not_acceptable', ...(method === 'post' ? CHANGES_ONCE : []))
  }
  if (access.kind === 'key') codes.push('scope_missing', 'feature_not_in_plan')
  if (access.kind === 'session' && access.admin === true) codes.push('admin_only')
  return [...new Set(codes)].sort()
}

/** The refusals as answers, one a status, with an example a code. */
export function problemAnswers(codes: readonly ErrorCode[]): Record<string, Answer> {
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(Object.entries(byStatus).map(([status, group]) => [status, problemAnswer(group!)]))
}

function problemAnswer(codes: readonly ErrorCode[]): Answer {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join('\n'),
    headers: headers([...EVERYWHERE, ...codes.flatMap(headersOf)]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      }
    }
  }
}

function headersOf(code: ErrorCode): HeaderName[] {
  if (code === 'range_not_satisfiable') return ['ContentRange']
  if (ERRORS[code].status === 401) return ['WwwAuthenticate']
  return code === 'request_in_progress' || [429, 503].includes(ERRORS[code].status) ? ['RetryAfter'] : []
}
