import t from 'tap'
import { cpuMs } from '../../../fixtures/cpu-time.ts'
import { createRowReading } from '../../../../services/imports/rows/read-rows.ts'
import { detectLayout } from '../../../../services/imports/rows/layout.ts'
import type { Row } from '../../../../services/imports/rows/row.ts'

const HEAD = 'Handle,Title,Body (HTML),Variant SKU,Image Src\n'

async function read(file: string): Promise<{ rows: Row[]; ms: number; rowsInStep: number }> {
  const bytes = Buffer.from(file)
  const layout = await detectLayout(bytes, { format: 'csv', mapping: null, isComplete: true })
  const rows: Row[] = []
  let rowsInStep = 0
  const listener = {
    row: (row: Row) => {
      rows.push(row)
    },
    pause: () => {}
  }
  const ms = cpuMs(() => {
    const reader = createRowReading(layout).rows({ byte: layout.firstByte, line: layout.firstLine }, listener)
    for (const steps of [reader.push(bytes.subarray(layout.firstByte)), reader.end()]) {
      for (let before = 0; steps.next().done !== true; before = rows.length) {
        rowsInStep = Math.max(rowsInStep, rows.length - before)
      }
    }
  })
  return { rows, ms, rowsInStep }
}
const variants = (count: number) => Array.from({ length: count }, (_, i) => `mug,,,m-${i + 1},\n`).join('')

t.test('many images of a handle with many variants take linear time', async (t) => {
  const images = Array.from({ length: 22_000 }, (_, i) => `${i}|`).join('')
  const { rows, ms } = await read(`${HEAD}mug,Mug,,m-0,${images}\n${variants(1000)}`)
  t.equal(rows.length, 1001)
  t.ok(ms < 600, `${ms.toFixed(0)} ms`)
  for (const { value } of rows) {
    const { images, imageUrl } = value as { images: string[]; imageUrl: string }
    t.equal(imageUrl, '0')
    t.equal(images.length, 51, 'one more than a product may have, which is an error')
  }
})

t.test('the variants of a handle are read in steps', async (t) => {
  const { rows, rowsInStep } = await read(`${HEAD}mug,Mug,,m-0,\n${variants(2999)}`)
  t.equal(rows.length, 3000)
  t.ok(rowsInStep <= 100, `${rowsInStep} rows in a step`)
})

t.test('as many images as a product may have are kept', async (t) => {
  const images = Array.from({ length: 51 }, (_, i) => `https://x.example/${i}.png`)
  const { rows } = await read(`${HEAD}mug,Mug,,m-0,${images.join(' | ')}\n${variants(1)}`)
  for (const { value } of rows) t.match(value, { imageUrl: images[0], images: images.slice(1) })
})

t.test('a row has its original record beside the one with inherited cells', async (t) => {
  const body = 'b'.repeat(1000)
  const { rows } = await read(`${HEAD}mug,Mug,${body},m-0,\n${variants(2)}`)
  t.same(
    rows.map(({ record }) => record.length),
    [1000 + 'mug,Mug,,m-0,'.length, 'mug,,,m-1,'.length, 'mug,,,m-1,'.length]
  )
  t.ok(rows.every(({ raw }) => raw.includes(body)))
})

t.test('inherited lists are parsed once', async (t) => {
  const tags = Array.from({ length: 50_000 }, (_, i) => `t${i},`).join('')
  const { rows, ms } = await read(`Handle,Title,Tags,Variant SKU,Image Src\nmug,Mug,"${tags}",m,\n${variants(1000)}`)
  t.equal(rows.length, 1001)
  t.ok(ms < 900, `${ms.toFixed(0)} ms`)
  for (const { value } of rows) t.equal((value as { tags: string[] }).tags.length, 50_000)

  const variation = `variation,V,v,1,p,\n`.repeat(1000)
  const woo = await read(
    `Type,Name,SKU,Published,Parent,Categories\nvariable,P,p,1,,"x > y${',a'.repeat(100_000)}"\n${variation}`
  )
  t.equal(woo.rows.length, 1000)
  t.ok(woo.ms < 900, `${woo.ms.toFixed(0)} ms`)
  for (const { value } of woo.rows) t.match(value, { category: 'x > y', groupId: 'p' })
})
