import { brotliDecompressSync } from 'node:zlib'
import t from 'tap'
import { createDocuments } from '../../routes/documents.ts'

t.test('a document is made once, for all readers', async (t) => {
  const documents = createDocuments()
  let made = 0
  const make = async () => `content ${++made} `.repeat(1_000)
  const [first, second] = await Promise.all([documents('page', make), documents('page', make)])
  t.equal(first, second)
  t.equal(await documents('page', make), first)
  t.equal(made, 1)
  t.not((await documents('other', make)).etag, first.etag)
})

t.test('a document is compressed once', async (t) => {
  const document = await createDocuments()('page', () => 'words '.repeat(10_000))
  const [first, second] = await Promise.all([document.compressor.compress('br'), document.compressor.compress('br')])
  t.equal(first, second)
  t.equal(document.compressor.compress('br'), first)
  t.equal(brotliDecompressSync(first).toString(), document.body.toString())
})

t.test('a document that could not be made is tried again', async (t) => {
  const documents = createDocuments()
  await t.rejects(
    documents('page', () => Promise.reject(new Error('The file cannot be read.'))),
    { message: 'The file cannot be read.' }
  )
  t.equal((await documents('page', () => 'content')).body.toString(), 'content')
})
