import assert from 'node:assert/strict'
import type { AuditFilter, AuditRecord, Store } from '../../../ports/store/port.ts'
import { ACCESS_ACTIONS, CONTENT_ACTIONS } from '../../../schemas/audit.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'

let made = 0

/** An entry of this minute. Later entries of a minute have greater ids. */
export function buildAuditEntry(at: number, change: Partial<AuditRecord> = {}): AuditRecord {
  const hex = Date.parse(minute(at)).toString(16).padStart(12, '0')
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${(made += 1).toString(16).padStart(12, '0')}`,
    accountId: 'acme',
    actor: { type: 'key', id: 'key-1', name: 'Website', prefix: 'svc_pk_Abcd…wxyz' },
    action: 'blog.updated',
    target: { type: 'blog', id: 'blog-1', label: 'Größe „1“ 🫖' },
    projectId: 'site',
    changes: [
      { field: 'title' },
      { field: 'status', to: 'published' },
      { field: 'n', to: 3 },
      { field: 'x', to: null }
    ],
    requestId: 'abc-1',
    ipAddress: '192.0.2.1',
    ...change
  }
}

const listed = async (store: Store, filter: AuditFilter = {}, accountId = 'acme', limit = 1000) =>
  await store.audit.list(accountId, filter, { beforeId: null, limit })
const ids = (entries: AuditRecord[]) => entries.map(({ id }) => id)

export const auditCases: StoreCase[] = [
  {
    title: 'entries are listed newest first, as they were added, by account',
    run: async ({ store }) => {
      const [a, b, c] = [buildAuditEntry(1), buildAuditEntry(2), buildAuditEntry(2)]
      const theirs = buildAuditEntry(3, {
        accountId: 'zeta',
        actor: { type: 'system', id: null, name: null, prefix: null },
        target: { type: 'service', id: null, label: null },
        projectId: null,
        changes: [],
        requestId: null,
        ipAddress: null
      })
      await store.audit.add([c, theirs])
      await store.audit.add([a, b])
      await store.audit.add([])
      assert.deepEqual(await listed(store), [c, b, a])
      assert.deepEqual(await listed(store, {}, 'zeta'), [theirs])
      assert.deepEqual(await listed(store, {}, 'nobody'), [])
    }
  },
  {
    title: 'adding an entry again changes nothing, and does not keep others from being added',
    run: async ({ store }) => {
      const [a, b] = [buildAuditEntry(1), buildAuditEntry(2)]
      await store.audit.add([a])
      await store.audit.add([{ ...a, action: 'blog.deleted' }, b])
      assert.deepEqual(await listed(store), [b, a])
    }
  },
  {
    title: 'lists are filtered by actor, action, target and time',
    run: async ({ store }) => {
      const entries = Array.from({ length: 12 }, (_, n) =>
        buildAuditEntry(n, {
          actor: { type: 'key', id: `key-${n % 2}`, name: null, prefix: null },
          action: n % 3 === 0 ? 'key.created' : 'blog.updated',
          target: { type: 'blog', id: n % 4 === 0 ? 'blog-0' : null, label: null }
        })
      )
      await store.audit.add(entries)
      const at = (...numbers: number[]) => numbers.map((n) => entries[n]!.id)
      assert.deepEqual(ids(await listed(store, { actor: 'key-1' })), at(11, 9, 7, 5, 3, 1))
      assert.deepEqual(ids(await listed(store, { action: 'key.created' })), at(9, 6, 3, 0))
      assert.deepEqual(ids(await listed(store, { target: 'blog-0' })), at(8, 4, 0))
      assert.deepEqual(ids(await listed(store, { actor: 'key-0', action: 'key.created' })), at(6, 0))
      assert.deepEqual(ids(await listed(store, { since: minute(9) })), at(11, 10, 9))
      assert.deepEqual(ids(await listed(store, { until: minute(2) })), at(1, 0))
      assert.deepEqual(ids(await listed(store, { since: minute(3), until: minute(7), actor: 'key-0' })), at(6, 4))
      assert.deepEqual(ids(await listed(store, { actor: 'nobody' })), [])
    }
  },
  {
    title: 'a page follows the entry before it, also with filters',
    run: async ({ store }) => {
      const entries = Array.from({ length: 9 }, (_, n) =>
        buildAuditEntry(n % 5, { action: n % 2 === 0 ? 'blog.updated' : 'key.created' })
      )
      await store.audit.add([...entries, buildAuditEntry(2, { accountId: 'zeta' })])
      for (const filter of [{}, { action: 'blog.updated' }, { since: minute(1), until: minute(4) }] as const) {
        const all = ids(await listed(store, filter))
        const read: string[] = []
        for (let beforeId: string | null = null; ; beforeId = read.at(-1)!) {
          const page = await store.audit.list('acme', filter, { beforeId, limit: 2 })
          read.push(...ids(page))
          if (page.length < 2) break
        }
        assert.deepEqual(read, all)
        assert.deepEqual(all, all.toSorted().toReversed())
      }
      assert.equal((await listed(store)).length, 9)
      assert.deepEqual(await store.audit.list('acme', { until: minute(0) }, { beforeId: entries[8]!.id, limit: 9 }), [])
    }
  },
  {
    title: 'old entries of all accounts are deleted, the oldest first',
    run: async ({ store }) => {
      const entries = [4, 1, 3, 2].map((at) => buildAuditEntry(at))
      const theirs = buildAuditEntry(0, { accountId: 'zeta' })
      await store.audit.add([...entries, theirs])
      assert.equal(await store.audit.deleteBefore(minute(4), 2), 2)
      assert.deepEqual(ids(await listed(store)), [entries[0]!.id, entries[2]!.id, entries[3]!.id])
      assert.deepEqual(await listed(store, {}, 'zeta'), [])
      assert.equal(await store.audit.deleteBefore(minute(4), 10), 2)
      assert.equal(await store.audit.deleteBefore(minute(4), 10), 0)
      assert.deepEqual(await listed(store), [entries[0]])
    }
  },
  {
    title: 'trimming deletes the oldest entries of an account with these actions',
    run: async ({ store }) => {
      const content = Array.from({ length: 7 }, (_, n) => buildAuditEntry(2 * n, { action: 'product.updated' }))
      const access = Array.from({ length: 3 }, (_, n) => buildAuditEntry(2 * n + 1, { action: 'key.created' }))
      const theirs = Array.from({ length: 4 }, (_, n) => buildAuditEntry(n, { accountId: 'zeta' }))
      await store.audit.add([...content, ...access, ...theirs])
      assert.equal(await store.audit.trim('acme', CONTENT_ACTIONS, 7), 0)
      assert.equal(await store.audit.trim('acme', CONTENT_ACTIONS, 2), 5)
      assert.deepEqual(ids(await listed(store)), ids([content[6]!, content[5]!, access[2]!, access[1]!, access[0]!]))
      assert.equal(await store.audit.trim('acme', ACCESS_ACTIONS, 1), 2)
      assert.deepEqual(ids(await listed(store)), ids([content[6]!, content[5]!, access[2]!]))
      assert.equal((await listed(store, {}, 'zeta')).length, 4)
      assert.equal(await store.audit.trim('nobody', CONTENT_ACTIONS, 0), 0)
    }
  },
  {
    title: 'entries survive reopening the store',
    run: async ({ store, reopen }) => {
      const entries = [buildAuditEntry(2), buildAuditEntry(1)]
      await store.audit.add(entries)
      assert.deepEqual(await listed(await reopen()), entries)
    }
  }
]
