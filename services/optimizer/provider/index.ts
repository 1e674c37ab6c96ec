import { createHash } from 'node:crypto'
import type { ProductRecord, TextOrigin } from '../../../ports/store/port.ts'
import { createCallBudget, type CallBudgetSettings } from './budget.ts'
import { checkTexts, type RejectedText } from './checks.ts'
import { createModelClient, type CallResult, type ModelClientOptions } from './client.ts'
import { productTask, PROMPT_VERSION, providerSource, TEXT_FIELDS, toTexts, type SuggestedTexts } from './prompt.ts'
import { anthropic } from './protocols/anthropic.ts'
import { openai } from './protocols/openai.ts'
import type { ModelAnswer } from './protocols/protocol.ts'

export const PROTOCOLS = { openai, anthropic }

/** The result of asking a language model for the texts of a product. */
export interface Suggestion {
  /** The texts that passed the checks. */
  texts: Readonly<SuggestedTexts>
  origin: TextOrigin
  /** The texts that did not pass, with the reason. */
  rejected: RejectedText[]
  /**
   * Null if the model answered. Otherwise why there are no texts: `budget` and `unavailable` may
   * succeed after `retryAfterMs`; with `rejected` and `unusable`, asking again changes nothing.
   * `detail` is for the operator.
   */
  failure: {
    reason: 'budget' | 'unavailable' | 'rejected' | 'unusable'
    detail: string
    retryAfterMs: number
  } | null
}

/** Suggests texts for products. `version` changes when the same product may get different texts. */
export interface SeoProvider {
  readonly version: string
  /** Never throws. */
  suggest: (input: { product: ProductRecord; brandName: string | null }, signal: AbortSignal) => Promise<Suggestion>
  /** The number of calls that can be made now for an account: 0 during a pause. */
  availableCalls: (accountId: string) => Promise<number>
}

export interface SeoProviderSettings
  extends CallBudgetSettings,
    Pick<ModelClientOptions, 'send' | 'url' | 'apiKey' | 'wait' | 'onProblem'> {
  protocol: keyof typeof PROTOCOLS
  model: string
  clock?: () => number
  /** Timeout of one attempt in milliseconds; default 30,000. */
  timeoutMs?: number
}

const MAX_CONCURRENT = 4
const CACHE_SIZE = 1_000

const UNUSABLE: Record<Extract<ModelAnswer, { ok: false }>['reason'], string> = {
  declined: 'The language model declined to answer.',
  truncated: 'The answer of the language model was truncated.',
  malformed: 'The answer of the language model is not in the requested format.'
}

/**
 * Asks a language model for titles and descriptions of at most 4 products concurrently. The last
 * 1,000 answers are cached, so that an unchanged product is not requested again.
 */
export function createSeoProvider({ model, clock = Date.now, ...settings }: SeoProviderSettings): SeoProvider {
  const protocol = PROTOCOLS[settings.protocol]
  const budget = createCallBudget(settings)
  const client = createModelClient({ ...settings, clock, protocol, budget })
  const cache = new Map<string, Suggestion>()
  const withSlot = createSlots(MAX_CONCURRENT)

  function addToCache(key: string, suggestion: Suggestion): void {
    cache.delete(key)
    cache.set(key, suggestion)
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!)
  }

  const origin = (): TextOrigin => ({ model, promptVersion: PROMPT_VERSION, at: new Date(clock()).toISOString() })
  const failedCall = ({ reason, detail, retryAfterMs }: Extract<CallResult, { ok: false }>): Suggestion => ({
    texts: {},
    origin: origin(),
    rejected: [],
    failure: { reason, detail, retryAfterMs }
  })

  function toSuggestion(answer: ModelAnswer, source: ReturnType<typeof providerSource>): Suggestion {
    const suggested = answer.ok ? toTexts(answer.value) : {}
    if (!answer.ok || Object.keys(suggested).length === 0) {
      const detail = UNUSABLE[answer.ok ? 'malformed' : answer.reason]
      return { texts: {}, origin: origin(), rejected: [], failure: { reason: 'unusable', detail, retryAfterMs: 0 } }
    }
    const { texts, rejected } = checkTexts(suggested, source)
    const missing = TEXT_FIELDS.filter((field) => suggested[field] === undefined)
    return {
      texts,
      rejected: [...rejected, ...missing.map((field) => ({ field, reason: 'is missing in the answer' }))],
      origin: origin(),
      failure: null
    }
  }

  return {
    version: `${model} ${PROMPT_VERSION}`,
    async suggest({ product, brandName }, signal) {
      const source = providerSource(product, brandName)
      const task = productTask(source, model)
      const key = createHash('sha256').update(JSON.stringify(task)).digest('base64url')
      const known = cache.get(key)
      if (known !== undefined) {
        addToCache(key, known)
        return known
      }
      const result = await withSlot(async () => await client.call(task, product.accountId, signal))
      if (!result.ok) return failedCall(result)
      const suggestion = toSuggestion(protocol.parse(result.body), source)
      addToCache(key, suggestion)
      return suggestion
    },
    availableCalls: async (accountId) => (client.pauseMs() > 0 ? 0 : await budget.remaining(accountId))
  }
}

/** Runs at most `count` tasks concurrently; others wait in order. */
function createSlots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < count) running++
    else {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
