/** The texts of an answer that are strings, unchecked. */
export interface AnsweredTexts {
  metaTitle?: string
  metaDescription?: string
  pageTitle?: string
}

const MEMBERS = { metaTitle: 'meta_title', metaDescription: 'meta_description', pageTitle: 'page_title' } as const

/**
 * Reads the body of a chat completion. Nothing when it is not JSON, was refused or cut by the
 * model, or its message is not a JSON object. Never throws.
 */
export function readAnswer(body: string): AnsweredTexts {
  const choice = at(at(parsed(body), 'choices'), '0')
  const message = at(choice, 'message')
  const finish = at(choice, 'finish_reason')
  if ((finish !== undefined && finish !== 'stop') || at(message, 'refusal') != null) return {}
  const content = at(message, 'content')
  const texts = typeof content === 'string' ? parsed(content) : undefined
  if (Array.isArray(texts)) return {}
  return Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([field, member]) => {
      const text = at(texts, member)
      return typeof text === 'string' ? [[field, text]] : []
    })
  )
}

function at(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
