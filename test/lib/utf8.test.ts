import t from 'tap'
import { joinUtf8 } from '../../lib/utf8.ts'

t.test('texts are encoded one after another', async (t) => {
  for (const texts of [
    ['', '', ''],
    ['{"sequence":', '12', ',"data":"Zoë 😀 \u0000 商品"}'],
    ['a'.repeat(16_384), '', ''],
    ['商'.repeat(16_384)],
    ['商'.repeat(16_384), '1', '😀'],
    ['\ud800', 'x']
  ]) {
    t.ok(joinUtf8(...texts).equals(Buffer.from(texts.join(''))), texts.join('').slice(0, 20))
  }
  const [first, second] = [joinUtf8('one', '1'), joinUtf8('two', '2')]
  t.equal(first.toString() + second.toString(), 'one1two2', 'each has its own bytes')
})
