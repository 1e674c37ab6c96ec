import { Ajv, type Options } from 'ajv'
import t from 'tap'
import { addTextLengths } from '../../../plugins/validation/text-lengths.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { SEED } from '../../seed.ts'

const PARTS = ['a', 'é', '字', '🍐', '\ud83c', '\udf50', ' ']

function validators(schema: object, options: Options = {}) {
  const [usual, own] = [new Ajv(options), new Ajv(options)]
  addTextLengths(own)
  return { usual: usual.compile(schema), own: own.compile(schema) }
}

t.test('lengths are the same as those of Ajv, with the same errors', async (t) => {
  const random = createSeededRandom(SEED)
  for (const [minLength, maxLength] of [
    [0, 0],
    [1, 1],
    [1, 5],
    [3, 4],
    [7, 12]
  ]) {
    const schema = { type: 'object', properties: { text: { type: 'string', minLength, maxLength } } }
    const { usual, own } = validators(schema, { allErrors: true })
    for (let round = 0; round < 300; round++) {
      const length = Math.floor(random() * 26)
      const text = Array.from({ length }, () => PARTS[Math.floor(random() * PARTS.length)]).join('')
      t.equal(own({ text }), usual({ text }), `${minLength} to ${maxLength}: ${JSON.stringify(text)}, SEED=${SEED}`)
      t.same(own.errors, usual.errors)
    }
  }
})

t.test('other types than texts have no length, and texts are coerced before', async (t) => {
  const schema = { type: 'object', properties: { value: { minLength: 2, maxLength: 3 } } }
  const { own } = validators(schema, { strict: false })
  for (const value of [1, null, [], { length: 9 }]) t.equal(own({ value }), true)
  const coercing = validators(
    { type: 'object', properties: { value: { type: 'string', maxLength: 3 } } },
    { coerceTypes: true }
  )
  t.equal(coercing.own({ value: 12 }), true)
  t.equal(coercing.own({ value: 1234 }), false)
})
