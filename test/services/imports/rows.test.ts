import { Transform, type Readable } from 'node:stream'
import t from 'tap'
import { startApp } from '../../helper.ts'

t.test('the rows of a batch are passed on to the file together, not one by one', async (t) => {
  const app = await startApp(t)
  const put = app.files.put
  let chunks = 0
  app.files.put = async (key, body) => {
    if (!key.endsWith('/upload')) return await put(key, body)
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        chunks += 1
        done(null, chunk)
      }
    })
    return await put(key, (body as Readable).pipe(counter))
  }
  const products = Array.from({ length: 2_000 }, (_, n) => ({ externalId: `product-${n}`, title: `Product ${n}` }))
  const reader = { accountId: 'acme', projectIds: null }
  const { total } = await app.services.imports.receiveRows(reader, { projectId: 'shop', products })
  t.equal(total, 2_000)
  t.ok(chunks > 0 && chunks < 20, `${chunks} chunks`)
})
