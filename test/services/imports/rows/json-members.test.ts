import t from 'tap'
import { cpuMs } from '../../../fixtures/cpu-time.ts'
import { formatFailedRow } from '../../../../services/imports/rows/failed-rows.ts'
import { findLastMember } from '../../../../services/imports/rows/json-members.ts'
import type { Layout } from '../../../../services/imports/rows/layout.ts'

const valueOf = (text: string, name = 'price') => {
  const member = findLastMember(text, name)
  return member === null ? null : text.slice(member.valueStart, member.valueEnd)
}

t.test('the last member of the name at the top level is found', async (t) => {
  const cases: [string, string | null][] = [
    ['{}', null],
    ['{"price":1}', '1'],
    ['{ "price" :\t1.50e1, "a":[1,{"price":3}]}', '1.50e1'],
    ['{"price":1,"price":2}', '2'],
    ['{"a":"price","b":{"price":1},"c":["price"]}', null],
    ['{"a":"\\"price\\":3","pr\\u0069ce":4}', '4'],
    ['{"a\\\\":"x\\\\","price":{"a":[{}],"b":"},"}}', '{"a":[{}],"b":"},"}'],
    ['{"price":[1,2],"a":1}', '[1,2]'],
    ['{"price":1,"prices":2,"":3}', '1']
  ]
  for (const [text, value] of cases) t.equal(valueOf(text), value, text)
})

t.test('long lines take linear time', async (t) => {
  const layout = { header: null, file: {} } as Layout
  const lines = [
    `{"price":1,"a":[${'1,'.repeat(500_000)}1],"price":2}`,
    `{"price":1,"a":"${'\\\\'.repeat(250_000)}${'\\"'.repeat(250_000)}","price":2}`,
    `{"price":1,${'"a":1,'.repeat(160_000)}"price":2}`,
    `{"price":1,${'"_error":1,'.repeat(90_000)}"price":2}`
  ]
  for (const line of lines) {
    const ms = cpuMs(() => t.equal(valueOf(line), '2'))
    t.ok(ms < 300, `find: ${ms.toFixed(0)} ms`)
    let failed = ''
    const formatMs = cpuMs(() => {
      failed = formatFailedRow(layout, { row: line, errors: [], line: 1 })
    })
    t.ok(formatMs < 450, `format: ${formatMs.toFixed(0)} ms`)
    const error = { line: 1, errors: [] }
    const { _raw: raw, ...object } = JSON.parse(failed) as Record<string, unknown>
    if (line.includes('\\')) t.match(object, { price: 2, _error: error })
    else t.same({ raw, ...object }, { raw: line, _error: error }, 'a member is not added to so many values')
  }
})
