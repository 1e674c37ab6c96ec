import t from 'tap'
import { JsonLimitError, parseJsonInSlices, stringifyInSlices } from '../../lib/json-slices.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { SEED } from '../seed.ts'

const LIMITS = { maxDepth: 100, maxValues: 50_000, maxElements: 100_000 }
const inSlices = async (text: string, limits = LIMITS) =>
  await parseJsonInSlices(Buffer.from(text), (part) => JSON.parse(part), limits)

/** The value, or the name of the error. */
async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (error) {
    return { error: (error as Error).name }
  }
}

t.test('documents are parsed as by JSON.parse', async (t) => {
  const documents = [
    '{"projectId":"p","products":[{"a":[1,[2]]},{"b":"]"},3,null,"x,y"],"z":[]}',
    ' [ 1 , [ 2, 3 ] , {"a" : [ ] } ] ',
    '[]',
    '[ \n ]',
    '{}',
    '"text"',
    '12',
    '{"a":[1],"a":2}',
    '{"a":2,"a":[1]}',
    '{"a":[1,2],"a":[3]}',
    '{"a":{"b":[1,2]}}',
    '{"\\u0061":["\\"]","\\\\","[",","]}',
    '{"ä😀":["é","😀,[]"]}'
  ]
  for (const text of documents) t.strictSame(await inSlices(text), JSON.parse(text), text)
  const named = (await inSlices('{"__proto__":[1,2]}')) as object
  t.same(Object.getOwnPropertyDescriptor(named, '__proto__')?.value, [1, 2], 'a name that has a setter')
  t.equal(Object.getPrototypeOf(named), Object.prototype)
})

t.test('malformed documents are rejected', async (t) => {
  const documents = [
    '',
    '[',
    '{"a":[1,2}',
    '{"a":[{]}',
    '[1,,2]',
    '[1,]',
    '[,]',
    '{"a":[1 2]}',
    '[1]]',
    '["a]',
    '{]',
    ']'
  ]
  for (const text of documents) await t.rejects(inSlices(text), SyntaxError, text)
})

t.test('random documents, intact and damaged, give the result of JSON.parse', async (t) => {
  const random = createSeededRandom(SEED)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const texts = ['', 'a', '\\', '"', '[1,', '},{', '\n', 'é', '😀', '\u2028']
  const value = (depth: number): unknown => {
    const kind = depth > 4 ? random() * 0.5 : random()
    if (kind < 0.3) return pick(texts) + pick(texts)
    if (kind < 0.5) return pick([0, -1.5, 1e21, true, false, null])
    const length = Math.floor(random() * 5)
    if (kind < 0.75) return Array.from({ length }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length }, () => [pick(texts) + pick(texts), value(depth + 1)]))
  }
  const differences: string[] = []
  let rejected = 0
  for (let count = 0; count < 3000; count++) {
    let text = JSON.stringify(value(0), null, pick(['', ' ', '\t\n']))
    if (random() < 0.6) {
      const at = Math.floor(random() * text.length)
      text =
        text.slice(0, at) + pick(['', '[', ']', '{', '}', ',', '"', '\\', ' ', ':']) + text.slice(at + pick([0, 1]))
    }
    text = Buffer.from(text).toString() // A cut surrogate pair has no UTF-8 form.
    const [sliced, whole] = [await outcome(() => inSlices(text)), await outcome(() => JSON.parse(text))]
    if (JSON.stringify(sliced) !== JSON.stringify(whole)) differences.push(text)
    if ('error' in (whole as object)) rejected++
  }
  t.same(differences, [])
  t.ok(rejected > 500 && rejected < 2500, `${rejected} of 3,000 documents are malformed`)
})

t.test('documents that exceed a limit are rejected', async (t) => {
  const limits = { maxDepth: 4, maxValues: 10, maxElements: 10_000 }
  const rejects = async (text: string, message: string) =>
    await t.rejects(inSlices(text, limits), { constructor: JsonLimitError, message }, text)
  const ten = Array.from({ length: 10 }, () => '1').join(',')
  await rejects('[[[[[1]]]]]', 'is nested deeper than 4 levels')
  await rejects('['.repeat(1_000_000), 'is nested deeper than 4 levels')
  await rejects(`{"a":[{"b":[${ten}]}]}`, 'has more than 10 values in element 0 of a list')
  await rejects(`{"a":{"b":[${ten}]}}`, 'has more than 10 values')
  await rejects(`{${Array.from({ length: 11 }, (_, index) => `"a${index}":1`)}}`, 'has more than 10 values')
  await rejects(`[${'1,'.repeat(10_000)}1]`, 'has a list with more than 10,000 elements')
  t.equal(((await inSlices(`{"a":[${'[1,2],'.repeat(9999)}[]]}`, limits)) as { a: unknown[] }).a.length, 10_000)
  t.same(await inSlices('{"a":[[1],[2]],"b":1}', limits), { a: [[1], [2]], b: 1 })
})

t.test('others are served while a large document is parsed', async (t) => {
  const text = `{"a":[${Array.from({ length: 60_000 }, (_, index) => `{"id":${index},"t":"some text"}`)}]}`
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const parsed = (await inSlices(text)) as { a: unknown[] }
  clearInterval(timer)
  t.equal(parsed.a.length, 60_000)
  t.ok(turns >= 3, `${turns} turns of the event loop`)
})

t.test('documents that arrive together begin in turns, and long strings are scanned in steps', async (t) => {
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await work()
    isDone = true
    return turns
  }
  const nested = `{"a":${JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`n${n}`, n])))}}`
  const together = await turnsOf(() => Promise.all(Array.from({ length: 30 }, () => inSlices(nested))))
  t.ok(together >= 10, `${together} turns for 30 documents`)
  const text = '\\"'.repeat(8_000_000)
  t.equal(((await inSlices(`{"a":"${text}"}`)) as { a: string }).a.length, 8_000_000)
  const quotes = await turnsOf(() => inSlices(`{"a":"${text}","b":}`).catch(() => null))
  t.ok(quotes >= 3, `${quotes} turns for one string`)
})

t.test('values are serialized as by JSON.stringify', async (t) => {
  const values = [
    { products: [{ price: 1, 'é"': '\u0001' }, null, undefined, 'x'], totalCount: 3, deleted: [], none: undefined },
    { none: undefined, page: 1 },
    {},
    [],
    [1, { a: [2] }, undefined, new Date(0)]
  ]
  for (const value of values) {
    t.equal((await stringifyInSlices(value)).toString(), JSON.stringify(value))
  }
})

t.test('a serialized value that is too long is rejected', async (t) => {
  const value = { list: ['a'.repeat(10), 'b'.repeat(10)], page: 1 }
  const { length } = JSON.stringify(value)
  t.equal((await stringifyInSlices(value, { maxLength: length })).length, length)
  await t.rejects(stringifyInSlices(value, { maxLength: length - 1 }), JsonLimitError)
})
