import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { AuditRecord, Store } from '../../ports/store/port.ts'
import type { AuditEntry } from '../../schemas/audit.ts'
import { createAudit, SYSTEM, type AuditEvent } from '../../services/audit.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { openTestStore, person, sessionToken, startApp, temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'
import { scaled } from '../profile.ts'

const NEWEST = { beforeId: null, limit: 10_000 }
const change = (action: AuditEvent['action'], label: string | null = null): AuditEvent => ({
  accountId: 'acme',
  actor: SYSTEM,
  action,
  target: { type: 'blog', id: 'b', label },
  projectId: null,
  changes: [],
  requestId: null,
  ipAddress: null
})

/** The log over a store whose writes are counted, can be delayed, and can fail. */
async function start(t: Test, { isRemote = false, entriesPerAccount = 1000 } = {}) {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const state = { writes: 0, delayMs: 0, error: null as Error | null }
  const add = async (entries: AuditRecord[]): Promise<void> => {
    state.writes += 1
    await wait(state.delayMs)
    if (state.error !== null) throw state.error
    await store.audit.add(entries)
  }
  const lost: AuditRecord[] = []
  const errors: unknown[] = []
  const observed: Store = { ...store, isRemote, audit: { ...store.audit, add } }
  const audit = createAudit({
    store: observed,
    settings: { retentionDays: 1, entriesPerAccount },
    onLost: (entry) => lost.push(entry),
    onError: (error) => errors.push(error)
  })
  const stored = async (): Promise<number> => (await store.audit.list('acme', {}, NEWEST)).length
  return { audit, state, lost, errors, store, stored }
}

t.test('an entry is stored when its change is answered, and changes at the same time share a write', async (t) => {
  const { audit, state, stored } = await start(t)
  await audit.record(change('blog.updated'))
  t.equal(await stored(), 1)
  t.equal(state.writes, 1)
  state.delayMs = 20
  await Promise.all(Array.from({ length: 200 }, async () => await audit.record(change('blog.updated'))))
  t.equal(await stored(), 201)
  t.equal(state.writes, 3, 'one in progress, and one for all others')
})

t.test('with a store on a server, changes of content wait for no write', async (t) => {
  const { audit, state, stored } = await start(t, { isRemote: true })
  for (let n = 0; n < 20; n++) await audit.record(change('product.updated'))
  t.equal(state.writes, 0)
  t.equal((await audit.list('acme', { pageSize: 50 }, { isAdmin: false })).entries.length, 20, 'readers see them')
  t.equal(state.writes, 1)
  await audit.record(change('key.deleted'))
  t.equal(await stored(), 21, 'changes of access are stored at once')
  await audit.record(change('blog.deleted'))
  t.equal(await stored(), 21)
  const before = Date.now()
  await eventually(async () => (await stored()) === 22, 'the entry is stored')
  t.ok(Date.now() - before < 1500)
  t.equal(state.writes, 3)
  await audit.record(change('blog.created'))
  await audit.flush()
  t.equal(await stored(), 23)
  await audit.record(change('blog.updated'))
  await eventually(async () => (await stored()) === 24, 'entries after a flush are stored, too')
})

t.test('while the store cannot write, changes are answered and entries wait', async (t) => {
  const { audit, state, lost, errors, stored } = await start(t)
  state.error = new Error('The store is full')
  await audit.record(change('key.created'))
  await audit.record(change('key.deleted'))
  t.equal(await stored(), 0)
  t.match(errors, [{ message: 'The store is full' }])
  state.error = null
  await eventually(async () => (await stored()) === 2, 'the entries are stored')
  t.strictSame(lost, [])
})

t.test('a slow store delays a change by a second at most', async (t) => {
  const { audit, state, stored } = await start(t)
  state.delayMs = 2500
  const before = Date.now()
  await audit.record(change('key.created'))
  t.ok(Date.now() - before < 2000)
  await eventually(async () => (await stored()) === 1, 'the entry is stored')
})

t.test('entries that cannot be stored are reported', async (t) => {
  const { audit, state, lost, stored } = await start(t)
  state.error = new Error('The store is full')
  const recorded = Array.from({ length: 10_003 }, async (_, n) => await audit.record(change('key.created', `Key ${n}`)))
  t.equal(lost.length, 3, 'as many as do not fit in memory')
  await Promise.all(recorded)
  await audit.flush()
  t.equal(lost.length, 10_003)
  t.equal(new Set(lost.map(({ target }) => target.label)).size, 10_003)
  t.equal(await stored(), 0)
})

t.test('the oldest entries of an account make room for new ones, apart for content and access', async (t) => {
  const { audit, store } = await start(t, { entriesPerAccount: 150 })
  await audit.record(change('key.created'))
  for (let n = 0; n < 1250; n++) await audit.record(change('product.updated', `P ${n}`))
  await eventually(async () => (await store.audit.list('acme', {}, NEWEST)).length < 900, 'the account is trimmed')
  const entries = await store.audit.list('acme', {}, NEWEST)
  t.equal(entries[0]!.target.label, 'P 1249')
  t.match(entries.at(-1), { action: 'key.created' })
  t.ok(entries.length > 150)
})

t.test('long texts are shortened', async (t) => {
  const { audit, store } = await start(t)
  await audit.record({
    ...change('blog.created', `${'a'.repeat(198)}🫖${'b'.repeat(500)}`),
    changes: Array.from({ length: 70 }, (_, n) => ({ field: `f${n}`, to: 'x'.repeat(300) }))
  })
  const [entry] = await store.audit.list('acme', {}, NEWEST)
  t.equal(entry!.target.label, `${'a'.repeat(198)}…`)
  t.equal(entry!.changes.length, 50)
  t.equal(String(entry!.changes[0]!.to).length, 200)
})

t.test('entries that wait are stored at shutdown', async (t) => {
  const dataDir = temporaryFolder(t)
  const app = await startApp(t, { DATA_DIR: dataDir })
  const { add } = app.store.audit
  app.store.audit.add = async () => {
    throw new Error('The store is full')
  }
  t.equal((await (await person(app, 'acme'))('POST', '/api/keys', { name: 'Waits' })).statusCode, 201)
  app.store.audit.add = add
  await app.close()
  const again = await startApp(t, { DATA_DIR: dataDir })
  t.match(await again.store.audit.list('acme', {}, NEWEST), [{ action: 'key.created', target: { label: 'Waits' } }])
})

t.test(
  'entries survive the end of the process: killed for changes of access, stopped for all',
  { timeout: 120_000 },
  async (t) => {
    const dataDir = temporaryFolder(t)
    const authorization = `Bearer ${await sessionToken('acme')}`
    async function change(signal: 'SIGKILL' | 'SIGTERM', count: number): Promise<void> {
      const server = await startServer(t, dataDir)
      const post = async (path: string, body: object): Promise<number> => {
        const headers = { authorization, 'content-type': 'application/json' }
        return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
      }
      for (let n = 0; n < count; n++) t.equal(await post('/api/keys', { name: `${signal} ${n}` }), 201)
      // An embedded store has the entries of all changes when they are answered. Keys come first, because their entries
      // would take the others along.
      if (signal === 'SIGTERM' || !scaled) {
        for (let n = 0; n < count; n++) {
          t.equal(await post('/api/v1/products', { projectId: 'shop', externalId: `${signal}-${n}`, title: 'T' }), 201)
        }
      }
      await server.end(signal)
    }
    await change('SIGKILL', 5)
    await change('SIGTERM', 5)
    const app = await startApp(t, { DATA_DIR: dataDir })
    const ask = await person(app, 'acme')
    const { entries } = (await ask('GET', '/api/audit?pageSize=100')).json() as { entries: AuditEntry[] }
    const numberOf = (action: string) => entries.filter((entry) => entry.action === action).length
    t.equal(numberOf('key.created'), 10)
    t.equal(numberOf('product.created'), scaled ? 5 : 10)
  }
)
