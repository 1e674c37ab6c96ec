import { decimalText } from './decimal-text.ts'

/** The text of the price of each object that was parsed here. */
const sources = new WeakMap<object, string>()

type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const rawJson = (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON

/**
 * Parses JSON and remembers how each member `price` was written, because a float forgets it (`9.90`, `0.1`).
 * The source text of a number: https://tc39.es/proposal-json-parse-with-source/. Throws SyntaxError.
 */
export function parseExactly (text: string): unknown {
  return parse(text, function (key, value, { source }) {
    if (key === 'price' && typeof value === 'number' && source !== undefined) sources.set(this, source)
    return value
  })
}

/** The price of a row digit by digit: as it was written where the row was parsed here, else as the number reads. Null when it has more digits than a price may have. */
export function priceText (row: { price?: number | null | undefined }): string | null {
  return decimalText(sources.get(row) ?? String(row.price))
}

/** JSON in which each `price` stands as it was written in what was parsed here. */
export function exactJson (value: unknown): string {
  return JSON.stringify(value, function (this: object, key: string, member: unknown) {
    const source = key === 'price' ? sources.get(this) : undefined
    return source === undefined ? member : rawJson(source)
  })
}

/** A number that JSON.stringify writes digit by digit as this text. */
export function exactNumber (text: string): number { return rawJson(text) }
