import t from 'tap'
import { hashTerm, packTerms, unpackTerms } from '../../lib/packed-terms.ts'

t.test('packed terms are unpacked unchanged, wherever their bytes begin', async (t) => {
  const packed = { terms: Int32Array.of(-(2 ** 31), -1, 0, 2 ** 31 - 1), weights: Uint16Array.of(0, 1, 500, 65_535) }
  const bytes = packTerms(packed)
  for (let offset = 0; offset < 4; offset++) {
    const memory = Buffer.concat([Buffer.alloc(offset), bytes])
    t.same(unpackTerms(memory.subarray(offset)), packed)
  }
  t.same(unpackTerms(packTerms({ terms: new Int32Array(), weights: new Uint16Array() })).terms.length, 0)
})

t.test('hashes are 32-bit integers that differ', async (t) => {
  const hashes = Array.from({ length: 20_000 }, (_, i) => hashTerm(`word ${i}`))
  t.ok(hashes.every((hash) => Number.isInteger(hash) && hash >= -(2 ** 31) && hash < 2 ** 31))
  t.ok(new Set(hashes).size > 19_995, 'the expected number of collisions is 0.05')
  t.equal(hashTerm('a'), 0xe40c292c | 0, 'FNV-1a')
})
