import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { buildAccount, buildApiKey, minute } from './fixtures/content.ts'

const VALUE = { hash: 'fe'.repeat(32), prefix: 'svc_pk_zz', last4: '9876', at: minute(7) }

export const apiKeyCases: StoreCase[] = [
  {
    title: 'a key is found by its hash and by its id, unchanged',
    run: async ({ store }) => {
      const key = buildApiKey({ projectIds: ['a', 'b'], expiresAt: minute(99), disabled: true, lastUsedAt: minute(2) })
      assert.equal(await store.apiKeys.add(key, 25), true)
      assert.deepEqual((await store.apiKeys.findByHash(key.hash))?.key, key)
      assert.deepEqual(await store.apiKeys.find('acme', key.id), key)
      assert.equal(await store.apiKeys.findByHash('00'), null)
      assert.equal(await store.apiKeys.find('zeta', key.id), null)
      assert.equal(await store.apiKeys.find('acme', 'nothing'), null)
    }
  },
  {
    title: 'a key is found together with its account, as it is stored now',
    run: async ({ store }) => {
      const [mine, theirs] = [buildApiKey(), buildApiKey({ accountId: 'zeta' })]
      for (const key of [mine, theirs]) await store.apiKeys.add(key, 25)
      assert.deepEqual(await store.apiKeys.findByHash(mine.hash), { key: mine, account: null })
      for (const id of ['acme', 'zeta']) await store.accounts.insertIfAbsent(buildAccount(id))
      const changed = await store.accounts.update('acme', { plan: 'sage', features: ['blogs'] })
      assert.deepEqual(await store.apiKeys.findByHash(mine.hash), { key: mine, account: changed })
      assert.deepEqual(await store.apiKeys.findByHash(theirs.hash), { key: theirs, account: buildAccount('zeta') })
    }
  },
  {
    title: 'a key that exceeds the limit of active keys is not stored',
    run: async ({ store }) => {
      assert.equal(await store.apiKeys.add(buildApiKey(), 2), true)
      assert.equal(await store.apiKeys.add(buildApiKey(), 2), true)
      const third = buildApiKey()
      assert.equal(await store.apiKeys.add(third, 2), false)
      assert.equal(await store.apiKeys.findByHash(third.hash), null)
      assert.equal((await store.apiKeys.list('acme')).length, 2)
      assert.equal(await store.apiKeys.add(buildApiKey({ accountId: 'zeta' }), 2), true)
    }
  },
  {
    title: 'keys that are disabled or expired do not count as active',
    run: async ({ store }) => {
      await store.apiKeys.add(buildApiKey({ disabled: true }), 1)
      await store.apiKeys.add(buildApiKey({ expiresAt: minute(10) }), 1)
      assert.equal(await store.apiKeys.add(buildApiKey({ createdAt: minute(5) }), 1), false)
      assert.equal(await store.apiKeys.add(buildApiKey({ createdAt: minute(11) }), 1), true)
      assert.equal(await store.apiKeys.add(buildApiKey({ createdAt: minute(12) }), 1), false)
      assert.equal(await store.apiKeys.add(buildApiKey({ createdAt: minute(12), disabled: true }), 1), true)
    }
  },
  {
    title: 'concurrent inserts never exceed the limit of active keys',
    run: async ({ store }) => {
      const added = await Promise.all(Array.from({ length: 12 }, () => store.apiKeys.add(buildApiKey(), 3)))
      assert.equal(added.filter(Boolean).length, 3)
      assert.equal((await store.apiKeys.list('acme')).length, 3)
    }
  },
  {
    title: 'keys of one account are listed oldest first, then by id',
    run: async ({ store }) => {
      const [a, b, c, d] = [
        buildApiKey({ createdAt: minute(2) }),
        buildApiKey({ createdAt: minute(2) }),
        buildApiKey({ createdAt: minute(1) }),
        buildApiKey({ createdAt: minute(3), disabled: true })
      ]
      for (const key of [d, b, a, c, buildApiKey({ accountId: 'zeta' })]) await store.apiKeys.add(key, 25)
      assert.deepEqual(
        (await store.apiKeys.list('acme')).map(({ id }) => id),
        [c.id, a.id, b.id, d.id]
      )
      assert.deepEqual(await store.apiKeys.list('nobody'), [])
    }
  },
  {
    title: 'after a rotation, only the new value of a key is found',
    run: async ({ store }) => {
      const key = buildApiKey({ lastUsedAt: minute(1), projectIds: ['a'] })
      await store.apiKeys.add(key, 25)
      const { at, ...value } = VALUE
      const expected = { ...key, ...value, updatedAt: at, generation: 2 }
      assert.deepEqual(await store.apiKeys.rotate({ accountId: 'acme', id: key.id, generation: 1 }, VALUE), expected)
      assert.equal(await store.apiKeys.findByHash(key.hash), null)
      assert.deepEqual((await store.apiKeys.findByHash(VALUE.hash))?.key, expected)
      assert.deepEqual(await store.apiKeys.find('acme', key.id), expected)
    }
  },
  {
    title: 'a rotation of an older generation, or of the key of another account, changes nothing',
    run: async ({ store }) => {
      const key = buildApiKey({ generation: 4 })
      await store.apiKeys.add(key, 25)
      assert.equal(await store.apiKeys.rotate({ accountId: 'acme', id: key.id, generation: 3 }, VALUE), null)
      assert.equal(await store.apiKeys.rotate({ accountId: 'zeta', id: key.id, generation: 4 }, VALUE), null)
      assert.equal(await store.apiKeys.rotate({ accountId: 'acme', id: 'nothing', generation: 1 }, VALUE), null)
      assert.deepEqual((await store.apiKeys.findByHash(key.hash))?.key, key)
      assert.equal(await store.apiKeys.findByHash(VALUE.hash), null)
    }
  },
  {
    title: 'of concurrent rotations, exactly one succeeds, and only its value is found',
    run: async ({ store }) => {
      const key = buildApiKey()
      await store.apiKeys.add(key, 25)
      const hashes = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(64))
      const answers = await Promise.all(
        hashes.map((hash) => store.apiKeys.rotate({ accountId: 'acme', id: key.id, generation: 1 }, { ...VALUE, hash }))
      )
      const won = answers.filter((answer) => answer !== null)
      assert.equal(won.length, 1)
      const alive = await Promise.all([key.hash, ...hashes].map((hash) => store.apiKeys.findByHash(hash)))
      assert.deepEqual(
        alive.filter((found) => found !== null).map((found) => found.key),
        won
      )
      assert.equal((await store.apiKeys.find('acme', key.id))?.generation, 2)
    }
  },
  {
    title: 'an update of a key keeps the fields that it does not set',
    run: async ({ store }) => {
      const key = buildApiKey({ expiresAt: minute(50) })
      await store.apiKeys.add(key, 1)
      const change = { name: 'Shop', scopes: ['products:read' as const], expiresAt: null, updatedAt: minute(3) }
      assert.deepEqual(await store.apiKeys.update({ accountId: 'acme', id: key.id }, change, 1), { ...key, ...change })
      assert.deepEqual((await store.apiKeys.findByHash(key.hash))?.key, { ...key, ...change })
      assert.equal(await store.apiKeys.update({ accountId: 'zeta', id: key.id }, { name: 'x' }, 1), null)
      assert.equal(await store.apiKeys.update({ accountId: 'acme', id: 'nothing' }, { name: 'x' }, 1), null)
    }
  },
  {
    title: 'a key is not reactivated beyond the limit of active keys',
    run: async ({ store }) => {
      const disabled = buildApiKey({ disabled: true })
      const expired = buildApiKey({ expiresAt: minute(5) })
      const active = buildApiKey()
      for (const key of [disabled, active]) await store.apiKeys.add(key, 1)
      await store.apiKeys.add(expired, 2)
      const update = async (id: string, change: object, maxActive: number) =>
        await store.apiKeys.update({ accountId: 'acme', id }, { updatedAt: minute(10), ...change }, maxActive)
      assert.equal(await update(disabled.id, { disabled: false }, 1), 'too_many')
      assert.equal(await update(expired.id, { expiresAt: null }, 1), 'too_many')
      assert.deepEqual(await store.apiKeys.find('acme', disabled.id), disabled)
      assert.deepEqual(await store.apiKeys.find('acme', expired.id), expired)
      assert.notEqual(await update(disabled.id, { name: 'Renamed' }, 1), 'too_many')
      assert.notEqual(await update(active.id, { name: 'Renamed', disabled: false }, 1), 'too_many')
      assert.notEqual(await update(disabled.id, { disabled: false }, 2), 'too_many')
    }
  },
  {
    title: 'concurrent reactivations never exceed the limit of active keys',
    run: async ({ store }) => {
      const keys = Array.from({ length: 6 }, () => buildApiKey({ disabled: true }))
      for (const key of keys) await store.apiKeys.add(key, 2)
      const answers = await Promise.all(
        keys.map(({ id }) =>
          store.apiKeys.update({ accountId: 'acme', id }, { disabled: false, updatedAt: minute(1) }, 2)
        )
      )
      assert.equal(answers.filter((answer) => answer === 'too_many').length, 4)
      assert.equal((await store.apiKeys.list('acme')).filter(({ disabled }) => !disabled).length, 2)
    }
  },
  {
    title: 'a deleted key is no longer found',
    run: async ({ store }) => {
      const key = buildApiKey()
      await store.apiKeys.add(key, 1)
      assert.equal(await store.apiKeys.delete('zeta', key.id), false)
      assert.equal(await store.apiKeys.delete('acme', key.id), true)
      assert.equal(await store.apiKeys.findByHash(key.hash), null)
      assert.equal(await store.apiKeys.find('acme', key.id), null)
      assert.equal(await store.apiKeys.delete('acme', key.id), false)
      assert.equal(await store.apiKeys.add(buildApiKey(), 1), true)
    }
  },
  {
    title: 'the last use of a key moves forward and never back',
    run: async ({ store }) => {
      const [one, two] = [buildApiKey(), buildApiKey()]
      for (const key of [one, two]) await store.apiKeys.add(key, 25)
      await store.apiKeys.recordUses([
        { id: one.id, at: minute(5) },
        { id: 'nothing', at: minute(6) },
        { id: two.id, at: minute(9) },
        { id: two.id, at: minute(8) }
      ])
      assert.deepEqual((await store.apiKeys.findByHash(one.hash))?.key, { ...one, lastUsedAt: minute(5) })
      assert.deepEqual((await store.apiKeys.findByHash(two.hash))?.key, { ...two, lastUsedAt: minute(9) })
      await store.apiKeys.recordUses([{ id: one.id, at: minute(4) }])
      assert.equal((await store.apiKeys.find('acme', one.id))?.lastUsedAt, minute(5))
      await store.apiKeys.recordUses([{ id: one.id, at: minute(6) }])
      assert.equal((await store.apiKeys.list('acme'))[0]?.lastUsedAt, minute(6))
      await store.apiKeys.recordUses([])
    }
  },
  {
    title: 'changing a key object that was passed or returned does not change the store',
    run: async ({ store }) => {
      const key = buildApiKey()
      const before = structuredClone(key)
      await store.apiKeys.add(key, 25)
      key.scopes.push('products:write')
      const found = (await store.apiKeys.findByHash(before.hash))?.key
      found?.scopes.push('products:read')
      assert.deepEqual((await store.apiKeys.findByHash(before.hash))?.key, before)
      assert.deepEqual(await store.apiKeys.list('acme'), [before])
    }
  }
]
