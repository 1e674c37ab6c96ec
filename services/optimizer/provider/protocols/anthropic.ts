import { memberAt, parseJson, toMembers } from '../json.ts'
import { MAX_ANSWER_TOKENS, type Protocol } from './protocol.ts'

/** The version of the API that this request and response format belongs to. */
const API_VERSION = '2023-06-01'

/**
 * The Messages API of Anthropic and of compatible services. The answer is the input of the one tool
 * that the model has to call, which has the schema of the answer.
 */
export const anthropic: Protocol = {
  path: '/messages',
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': API_VERSION }),
  // Some models accept the default temperature only.
  optional: ['temperature'],
  body: ({ model, system, user, answer }) => ({
    model,
    max_tokens: MAX_ANSWER_TOKENS,
    temperature: 0,
    system,
    messages: [{ role: 'user', content: user }],
    tools: [{ name: answer.name, description: answer.description, input_schema: answer.schema }],
    tool_choice: { type: 'tool', name: answer.name, disable_parallel_tool_use: true }
  }),
  parse(body) {
    const message = parseJson(body)
    const stop = memberAt(message, 'stop_reason')
    if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') return { ok: false, reason: 'truncated' }
    if (stop === 'refusal') return { ok: false, reason: 'declined' }
    const content = memberAt(message, 'content')
    const calls = Array.isArray(content) ? content.filter((block) => memberAt(block, 'type') === 'tool_use') : []
    const value = toMembers(memberAt(calls[0], 'input'))
    // A model that is forced to call a tool stops with `tool_use`; some compatible services with `end_turn`.
    const isComplete = stop === 'tool_use' || stop === 'end_turn'
    return isComplete && calls.length === 1 && value !== undefined
      ? { ok: true, value }
      : { ok: false, reason: 'malformed' }
  }
}
