import { createHash } from 'node:crypto'
import type { Outbound } from '../../../ports/outbound/port.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { readAnswer } from './answer.ts'
import { createCall } from './call.ts'
import { checked, type Suggestion } from './checks.ts'
import { PROMPT_VERSION, providerSource, requestBody } from './prompt.ts'

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

const AT_ONCE = 4
const MOST_KEPT = 1_000
const NOTHING: Suggestion = {}

/**
 * Asks a language model for titles and descriptions, at most 4 products at once; the last 1,000
 * answers are kept, so that the same product is not asked about twice.
 */
export function createSeoProvider({ model, clock = Date.now, ...settings }: SeoProviderSettings): SeoProvider {
  const call = createCall({ clock, ...settings })
  const kept = new Map<string, Suggestion>()
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++
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

  function keep(key: string, suggestion: Suggestion): void {
    kept.delete(key)
    kept.set(key, suggestion)
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
  }

  return {
    version: `${model} ${PROMPT_VERSION}`,
    async suggest({ product, brandName }, signal) {
      const source = providerSource(product, brandName)
      const body = requestBody(source, model)
      const key = createHash('sha256').update(PROMPT_VERSION).update(body).digest('base64url')
      const known = kept.get(key)
      if (known !== undefined) {
        keep(key, known)
        return known
      }
      const answer = await inTurn(async () => await call(body, signal))
      if (answer === null) return NOTHING
      const suggestion = checked(readAnswer(answer), source)
      keep(key, suggestion)
      return suggestion
    }
  }
}
