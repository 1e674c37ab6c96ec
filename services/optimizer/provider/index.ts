import { createHash } from 'node:crypto'
import type { Outbound } from '../../../ports/outbound/port.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { parseCompletion, PROMPT_VERSION, providerSource, requestBody } from './prompt.ts'
import { createProviderClient } from './client.ts'
import { checkTexts, type Suggestion } from './checks.ts'

export type { Suggestion } from './checks.ts'

/** Suggests texts for products. `version` changes when the same product may get different texts. */
export interface SeoProvider {
  readonly version: string
  /**
   * Returns the texts that passed the checks; empty if the provider gave no usable response. Never
   * throws.
   */
  suggest: (input: { product: ProductRecord; brandName: string | null }, signal: AbortSignal) => Promise<Suggestion>
}

export interface SeoProviderSettings {
  send: Outbound['send']
  /** Base URL of an OpenAI-compatible API, such as `https://api.example.com/v1`. */
  url: string
  apiKey: string
  model: string
  /** Maximum number of calls in any hour, retries included. */
  callsPerHour: number
  clock?: () => number
  /** Timeout of one attempt in milliseconds; default 30,000. */
  timeoutMs?: number
}

const MAX_CONCURRENT = 4
const CACHE_SIZE = 1_000
const NO_SUGGESTION: Suggestion = {}

/**
 * Asks a language model for titles and descriptions of at most 4 products concurrently. The last
 * 1,000 results are cached, so that an unchanged product is not requested again.
 */
export function createSeoProvider({ model, clock = Date.now, ...settings }: SeoProviderSettings): SeoProvider {
  const call = createProviderClient({ clock, ...settings })
  const cache = new Map<string, Suggestion>()
  const waiting: (() => void)[] = []
  let running = 0

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running < MAX_CONCURRENT) running++
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

  function addToCache(key: string, suggestion: Suggestion): void {
    cache.delete(key)
    cache.set(key, suggestion)
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!)
  }

  return {
    version: `${model} ${PROMPT_VERSION}`,
    async suggest({ product, brandName }, signal) {
      const source = providerSource(product, brandName)
      const body = requestBody(source, model)
      const key = createHash('sha256').update(PROMPT_VERSION).update(body).digest('base64url')
      const known = cache.get(key)
      if (known !== undefined) {
        addToCache(key, known)
        return known
      }
      const response = await withSlot(async () => await call(body, signal))
      if (response === null) return NO_SUGGESTION
      const suggestion = checkTexts(parseCompletion(response), source)
      addToCache(key, suggestion)
      return suggestion
    }
  }
}
