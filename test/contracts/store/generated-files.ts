import assert from 'node:assert/strict'
import type { GeneratedFile, Store } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { idOf } from './fixtures/content.ts'

/** The file with this number, which is its age, too. */
const buildFile = (n: number, changes: Partial<GeneratedFile> = {}): GeneratedFile => ({
  id: idOf(n),
  accountId: 'acme',
  kind: 'image-size',
  key: `images/${idOf(1)}/a.jpg/${n}.webp`,
  bytes: 100,
  ...changes
})

const putAll = async ({ generatedFiles }: Store, files: GeneratedFile[]): Promise<void> => {
  for (const file of files) await generatedFiles.put(file)
}
const refsOf = (...files: GeneratedFile[]) => files.map(({ id, key }) => ({ id, key }))
/** The files of the account besides the newest that have at most `maxBytes`. Default: all. */
async function exceeding({ generatedFiles }: Store, maxBytes = 0, limit = 100) {
  const before = await generatedFiles.findFitting('acme', 'image-size', maxBytes)
  return await generatedFiles.oldest('acme', 'image-size', { before, limit })
}

export const generatedFileCases: StoreCase[] = [
  {
    title: 'generated files that exceed a number of bytes are the oldest of their account and kind',
    run: async ({ store }) => {
      const files = [3, 1, 4, 2].map((n) => buildFile(n))
      await putAll(store, [
        ...files,
        buildFile(5, { accountId: 'zeta', key: 'images/z/a' }),
        buildFile(6, { kind: 'screenshot', key: 'visual-checks/c/a.webp' })
      ])
      const [third, first, fourth, second] = files as [GeneratedFile, GeneratedFile, GeneratedFile, GeneratedFile]
      assert.equal(await store.generatedFiles.findFitting('acme', 'image-size', 400), '')
      assert.deepEqual(await exceeding(store, 400), [])
      assert.equal(await store.generatedFiles.findFitting('acme', 'image-size', 399), second.id)
      assert.deepEqual(await exceeding(store, 399), refsOf(first))
      assert.deepEqual(await exceeding(store, 200), refsOf(first, second))
      assert.deepEqual(await exceeding(store), refsOf(first, second, third, fourth))
      assert.deepEqual(await exceeding(store, 0, 3), refsOf(first, second, third))
      assert.equal(await store.generatedFiles.findFitting('none', 'image-size', 0), '')
      assert.deepEqual(await store.generatedFiles.oldest('none', 'image-size', { before: '~', limit: 9 }), [])
    }
  },
  {
    title: 'a small old file exceeds, too, after a large one that does not fit',
    run: async ({ store }) => {
      const files = [buildFile(1, { bytes: 1 }), buildFile(2, { bytes: 1000 }), buildFile(3)]
      await putAll(store, files)
      assert.deepEqual(await exceeding(store, 500), refsOf(files[0]!, files[1]!))
    }
  },
  {
    title: 'a generated file that is put again replaces the one before',
    run: async ({ store }) => {
      const again = buildFile(9, { key: buildFile(1).key, bytes: 250 })
      await putAll(store, [buildFile(1), buildFile(2), again])
      assert.deepEqual(await exceeding(store), refsOf(buildFile(2), again))
      assert.deepEqual(await exceeding(store, 349), refsOf(buildFile(2)))
    }
  },
  {
    title: 'records of generated files are deleted unless they were replaced',
    run: async ({ store }) => {
      const again = buildFile(9, { key: buildFile(2).key })
      await putAll(store, [buildFile(1), buildFile(2), buildFile(3), again])
      await store.generatedFiles.delete(refsOf(buildFile(1), buildFile(2), buildFile(7)))
      assert.deepEqual(await exceeding(store), refsOf(buildFile(3), again))
      await store.generatedFiles.delete([])
    }
  },
  {
    title: 'all records of generated files under a prefix are deleted',
    run: async ({ store }) => {
      const at = (n: number, key: string) => buildFile(n, { key })
      const [inside, deep] = [at(1, 'images/a/b.jpg/320.webp'), at(2, 'images/a/c.jpg/full.avif')]
      const others = [
        at(3, 'images/a-b/c.jpg/base'),
        at(4, 'images/a'),
        at(5, 'images/a0/c.jpg/base'),
        at(6, 'images/A/c.jpg/base')
      ]
      await putAll(store, [inside, deep, ...others])
      await store.generatedFiles.deleteAll('images/a')
      assert.deepEqual(await exceeding(store), refsOf(...others))
    }
  }
]
