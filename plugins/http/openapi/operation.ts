import { bodyOf, parametersOf } from './request-parts.ts'
import { goodAnswers, type Nouns } from './good-answers.ts'
import { plainSchema } from './plain-schema.ts'
import { problemAnswers, refusalsOf } from './problem-answers.ts'
import type { Access } from '../access.ts'
import type { Answer, DraftOperation, Media, Operation } from './types.ts'

/**
 * The operation with everything that follows from its route: who may call it, what it takes, and
 * every answer there is.
 */
export function completeOperation(
  draft: DraftOperation,
  { method, nouns }: { method: string; nouns: Nouns }
): Operation {
  const { 'x-route': facts, ...declared } = draft
  if (facts === undefined) throw new Error(`The operation ${draft.operationId} does not say who may call it.`)
  const operation: DraftOperation = {
    ...declared,
    responses: plainAnswers(declared.responses as Record<string, Answer>)
  }
  const { operationId, summary, tags } = operation
  const requestBody = bodyOf(operation, facts, (schema, type) =>
    nouns.example({ operationId, status: 'request', type }, schema)
  )
  const answers = goodAnswers(operation, facts, { method, nouns })
  const parameters = parametersOf(operation, { method, keepable: answers['304'] !== undefined, facts })
  const refusals = problemAnswers(refusalsOf({ ...operation, requestBody, parameters }, facts, method))
  return {
    operationId,
    summary,
    description: [operation.description, whoMay(facts.access)].filter((text) => text !== undefined).join('\n\n'),
    tags,
    ...(facts.access.kind === 'key' ? { 'x-scope': facts.access.scope, 'x-feature': facts.access.feature } : {}),
    security: securityOf(facts.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...answers, ...refusals }
  }
}

function plainAnswers(answers: Record<string, Answer>): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const { content, ...rest } = answer
      if (content === undefined) return [status, rest]
      return [
        status,
        {
          ...rest,
          content: Object.fromEntries(
            Object.entries(content).map(([type, media]: [string, Media]) => [
              type,
              { schema: plainAnswerSchema(media.schema ?? {}) }
            ])
          )
        }
      ]
    })
  )
}

/** The schema of an answer without what belongs to the answer itself. */
function plainAnswerSchema(schema: NonNullable<Media['schema']>): NonNullable<Media['schema']> {
  const { description: _description, headers: _headers, ...rest } = schema
  return plainSchema(rest)
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case 'key':
      return [{ ApiKeyHeader: [] }, { BearerKey: [] }]
    case 'session':
      return [{ SessionToken: [] }]
    default:
      return []
  }
}

function whoMay(access: Access): string {
  switch (access.kind) {
    case 'key':
      return `Takes an API key with the scope \`${access.scope}\`, of an account with the feature \`${access.feature}\`.`
    case 'session':
      return access.admin === true
        ? 'Takes the session token of an administrator.'
        : 'Takes the session token of a signed-in person.'
    case 'health':
      return 'Takes no credential, and counts against no limit.'
    default:
      return 'Takes no credential.'
  }
}
