import t from 'tap'
import { createClient } from '../../bench/isolation/client.ts'
import { KINDS } from '../../bench/isolation/kinds/index.ts'
import { MAX_BYTES } from '../../bench/isolation/kinds/kind.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { client as createKey, sessionToken, startApp } from '../helper.ts'

/** Kinds whose inputs may be invalid: those of `isolation.stress.test.ts`. */
const INVALID = new Set(['known-inputs', 'random-patterns'])

t.test(
  'the service accepts the requests of each kind of the benchmark `isolation`, which have at most 1 MB',
  async (t) => {
    const app = await startApp(t)
    await app.listen({ host: '127.0.0.1', port: 0 })
    for (const [name, { prepare }] of Object.entries(KINDS)) {
      const { key } = await createKey(app, name)
      const client = createClient({ url: app.listeningOrigin, key, token: await sessionToken(name) }, 2)
      const next = await prepare({ client, random: createSeededRandom(1), scale: 0.001 })
      const request = next(0)
      const { body = '' } = request
      const encoded = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      t.ok(Buffer.byteLength(encoded) <= MAX_BYTES, `${name}: ${Buffer.byteLength(encoded)} bytes`)
      const { status, text } = await client.send(request)
      t.ok(status < (INVALID.has(name) ? 500 : 300), `${name}: ${status} ${status < 300 ? '' : text.slice(0, 200)}`)
      await client.optimized()
      await client.close()
    }
  }
)
