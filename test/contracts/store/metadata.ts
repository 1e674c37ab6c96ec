import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'

export const metadataCases: StoreCase[] = [
  {
    title: 'a value is stored only in place of the expected one',
    run: async ({ store: { metadata } }) => {
      assert.equal(await metadata.find('key'), null)
      assert.equal(await metadata.replace('key', 'anything', 'a'), false)
      assert.equal(await metadata.find('key'), null)
      assert.equal(await metadata.replace('key', null, 'a'), true)
      assert.equal(await metadata.replace('key', null, 'b'), false)
      assert.equal(await metadata.replace('key', 'b', 'c'), false)
      assert.equal(await metadata.find('key'), 'a')
      assert.equal(await metadata.replace('key', 'a', 'd'), true)
      assert.equal(await metadata.find('key'), 'd')
      assert.equal(await metadata.find('another key'), null)
    }
  },
  {
    title: 'of concurrent changes of a value, exactly one succeeds',
    run: async ({ store: { metadata } }) => {
      let expected: string | null = null
      for (const round of [1, 2]) {
        const values = Array.from({ length: 8 }, (_, index) => `${round}.${index}`)
        const stored = await Promise.all(values.map((value) => metadata.replace('key', expected, value)))
        assert.equal(stored.filter(Boolean).length, 1)
        assert.equal(await metadata.find('key'), values[stored.indexOf(true)])
        expected = values[stored.indexOf(true)]!
      }
    }
  }
]
