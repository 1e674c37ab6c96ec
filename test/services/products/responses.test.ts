import t from 'tap'
import { batchFailed, toBatchResponse } from '../../../services/products/responses.ts'

const invalidRow = (line: number, count: number) => ({
  line,
  externalId: `p${line}`,
  errors: Array.from({ length: count }, (_, i) => ({ pointer: `/x${i}`, code: 'unknown', message: 'is not a field' })),
  valid: null
})

t.test('each invalid row has an error, and further errors of a batch are limited', async (t) => {
  const rows = Array.from({ length: 3000 }, (_, line) => invalidRow(line, 49))
  const { failed, errors } = toBatchResponse(rows, [])
  t.equal(failed, 3000)
  t.equal(errors.length, 4000)
  t.equal(new Set(errors.map(({ index }) => index)).size, 3000)
  t.same(errors[0], {
    pointer: '/products/0/x0',
    code: 'unknown',
    message: 'is not a field',
    index: 0,
    externalId: 'p0'
  })
  t.equal(errors.at(-1)!.message, 'is not a field; 48 more errors of this row are not listed')
  t.same(batchFailed(rows, 'Nothing was written.').options.errors, errors, 'the same as an error')
  t.same(rows[2999]!.errors[0]!.message, 'is not a field', 'rows are not changed')
})

t.test('all errors of an ordinary batch are listed', async (t) => {
  const { errors } = toBatchResponse([invalidRow(0, 20), invalidRow(1, 1)], [])
  t.equal(errors.length, 21)
  t.notOk(errors.some(({ message }) => message.includes('more errors')))
})
