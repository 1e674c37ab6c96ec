import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openStore } from '../../../../ports/store/open.ts'
import { fromStoredText, toStoredText } from '../../../../ports/store/sqlite/idempotency.ts'

const CLAIM = {
  scope: 'acme key 1 POST /api/v1/blogs key',
  bodyHash: 'hash',
  operationId: 'operation',
  at: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  staleBefore: '2025-12-31T00:00:00.000Z'
}
const RESPONSES = ['{"title":"\\n"}', '', 'two\nlines\n'].map((body) => ({
  status: 201,
  headers: { location: '/blogs/1' },
  body
}))

t.test('a stored response is returned as it was, also one of a former version', async (t) => {
  const dataDir = t.testdir()
  for (const response of RESPONSES) {
    t.strictSame(fromStoredText(toStoredText(response)), response)
    const store = await openStore({ dataDir })
    await store.idempotency.claim(CLAIM)
    await store.idempotency.complete(CLAIM.scope, response)
    t.strictSame(await store.idempotency.claim(CLAIM), { state: 'answered', response })
    await store.close()

    const file = new DatabaseSync(join(dataDir, 'store.db'))
    file.prepare('UPDATE idempotency SET response = ?').run(JSON.stringify(response))
    file.close()
    const again = await openStore({ dataDir })
    t.strictSame(await again.idempotency.claim(CLAIM), { state: 'answered', response })
    await again.close()
  }
})
