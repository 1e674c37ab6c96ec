import { memberAt, parseJson, toMembers } from '../json.ts'
import { MAX_ANSWER_TOKENS, type Protocol } from './protocol.ts'

/**
 * The chat completions of OpenAI and of compatible services: OpenAI API reference, 'Create chat
 * completion', with a JSON schema as response format.
 */
export const openai: Protocol = {
  path: '/chat/completions',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  // Reasoning models accept the default temperature only. Older services know neither JSON schemas
  // nor this name of the maximum. The prompt also describes the answer.
  optional: ['temperature', 'max_completion_tokens', 'response_format'],
  body: ({ model, system, user, answer }) => ({
    model,
    temperature: 0,
    max_completion_tokens: MAX_ANSWER_TOKENS,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user }
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: answer.name, description: answer.description, strict: true, schema: answer.schema }
    }
  }),
  parse(body) {
    const choice = memberAt(parseJson(body), 'choices', '0')
    const finish = memberAt(choice, 'finish_reason')
    if (finish === 'length') return { ok: false, reason: 'truncated' }
    if (finish === 'content_filter' || memberAt(choice, 'message', 'refusal') != null) {
      return { ok: false, reason: 'declined' }
    }
    const content = memberAt(choice, 'message', 'content')
    const value = typeof content === 'string' ? toMembers(parseJson(withoutFence(content))) : undefined
    // Some compatible services omit the reason, or send null.
    const isComplete = finish == null || finish === 'stop'
    return isComplete && value !== undefined ? { ok: true, value } : { ok: false, reason: 'malformed' }
  }
}

/** Without a JSON schema, some models write the answer as a Markdown code block. */
function withoutFence(content: string): string {
  return /^\s*```(?:json)?\n(?<json>[^`]*)```\s*$/i.exec(content)?.groups!.json ?? content
}
