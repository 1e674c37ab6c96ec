/** The texts that a model is asked for, as a JSON schema. */
export interface ModelTask {
  model: string
  system: string
  user: string
  /** The JSON schema of the answer, and its name and description for the model. */
  answer: { name: string; description: string; schema: object }
}

/**
 * The answer of a model as a JSON value, not checked against the schema. Or the reason why there is
 * none: `declined` by the model, `truncated` at the maximum number of tokens, or `malformed`.
 */
export type ModelAnswer = { ok: true; value: unknown } | { ok: false; reason: 'declined' | 'truncated' | 'malformed' }

/** How requests and responses of a language model API are written. */
export interface Protocol {
  /** The path of the endpoint, below the base URL. */
  path: string
  headers: (apiKey: string) => Record<string, string>
  /**
   * Members of the body that the request also works without. Some models reject them. The client
   * then omits them.
   */
  optional: readonly string[]
  body: (task: ModelTask) => Record<string, unknown>
  /** Parses a response body with status 200. Never throws. */
  parse: (body: string) => ModelAnswer
}

/**
 * The maximum number of tokens of an answer. Three short texts need about 150; models that reason
 * before they answer need more.
 */
export const MAX_ANSWER_TOKENS = 2_000
