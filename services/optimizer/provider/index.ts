import { createHash } from 'node:crypto'
import type { Outbound } from '../../../ports/outbound/port.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { parseCompletion, PROMPT_VERSION, providerSource, requestBody } from './prompt.ts'
import { createProviderClient } from './client.ts'
import { checkTexts, type Suggestion } from './checks.ts'

export type { Suggestion } from './checks.ts'

/** Suggests texts for products. `version` changes when the same product could get other texts. */
export interface SeoProvider {
  readonly version: string
  /**
   * Checked texts, those left out that failed a check; none when there is no answer. Never throws.
   */
  suggest: (asked: { product: ProductRecord; brandName: string | null }, signal: AbortSignal) => Promise<Suggestion>
}

export interface SeoProviderSettings {
  send: Outbound['send']
  /** Where an interface like OpenAI's begins, such as `https://api.example.com/v1`. */
  url: string
  apiKey: string
  model: string
  /** Most calls in any hour, repeated ones included. */
  callsPerHour: number
  clock?: () => number
  /** Of one try; default 30,000. */
  timeoutMs?: number
}

const MAX_CONCURRENT = 4
const CACHE_SIZE = 1_000
const NO_SUGGESTION: Suggestion = {}

/**
 * Asks a language model for titles and descriptions, at most 4 products at once; the last 1,000
 * answers are kept, so that the same product is not asked about twice.
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
      const answer = await withSlot(async () => await call(body, signal))
      if (answer === null) return NO_SUGGESTION
      const suggestion = checkTexts(parseCompletion(answer), source)
      addToCache(key, suggestion)
      return suggestion
    }
  }
}
