import { createRequire } from 'node:module'
import type { Ajv, Code, KeywordCxt } from 'ajv'

const require = createRequire(import.meta.url)

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** The number of characters of a text: a surrogate pair is one, as in JSON Schema (RFC 8259, section 7). */
function countCharacters(text: string): number {
  let count = text.length
  for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) count--
  return count
}

/**
 * Replaces the keywords `maxLength` and `minLength` of Ajv, with the same results. Ajv counts the characters of each
 * text for each of them. Here they are only counted if the number of UTF-16 code units, of which a character has one or
 * two, leaves it open: a text of a million characters that is too long takes no time.
 */
export function addTextLengths(ajv: Ajv): void {
  const { _, str } = require('ajv') as typeof import('ajv')
  const add = (keyword: string, { isWrong, word }: { isWrong: (values: Values) => Code; word: string }): void => {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      error: {
        message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters`,
        params: ({ schemaCode }) => _`{limit: ${schemaCode}}`
      },
      code(context: KeywordCxt) {
        const { gen, data, schema } = context
        const count = _`${gen.scopeValue('func', { ref: countCharacters })}(${data})`
        context.fail(isWrong({ units: _`${data}.length`, count, limit: schema as number }))
      }
    })
  }
  add('maxLength', {
    isWrong: ({ units, count, limit }) => _`${units} > ${limit} && (${units} > ${2 * limit} || ${count} > ${limit})`,
    word: 'more'
  })
  add('minLength', {
    isWrong: ({ units, count, limit }) => _`${units} < ${2 * limit} && (${units} < ${limit} || ${count} < ${limit})`,
    word: 'fewer'
  })
}

interface Values {
  /** The length in UTF-16 code units. */
  units: Code
  /** The length in characters. */
  count: Code
  limit: number
}
