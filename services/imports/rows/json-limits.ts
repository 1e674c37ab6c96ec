import { checkJsonLimits, JsonLimitError } from '../../../lib/json-slices.ts'

/**
 * What a line of NDJSON may contain. A product needs far less, and a line is parsed without a pause:
 * for a megabyte of brackets or of distinct names, that takes more than 100 ms.
 */
const LIMITS = { maxDepth: 20, maxValues: 5000, maxElements: 5000, maxTotalValues: 5000 }
/** Shorter lines are parsed in a few milliseconds, whatever they contain. */
const SHORT_BYTES = 10_000

/** Says what a line of JSON has too much of, such as `is nested deeper than 20 levels`. Null: nothing. */
export function findJsonExcess(line: Buffer): string | null {
  if (line.length <= SHORT_BYTES) return null
  try {
    checkJsonLimits(line, LIMITS)
    return null
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error
    return error.message
  }
}
