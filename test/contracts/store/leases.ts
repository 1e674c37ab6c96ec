import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'

/** Taken at a minute for ten. */
const by = (holder: string, at: number, name = 'optimize acme shop') => ({
  name,
  holder,
  now: minute(at),
  until: minute(at + 10)
})

export const leaseCases: StoreCase[] = [
  {
    title: 'a lease has one holder until it ends, and is independent of other names',
    run: async ({ store: { leases } }) => {
      assert.equal(await leases.acquire(by('a', 0)), true)
      assert.equal(await leases.acquire(by('b', 9)), false)
      assert.equal(await leases.acquire(by('b', 9, 'optimize acme other')), true)
      assert.equal(await leases.acquire(by('b', 10)), true)
      assert.equal(await leases.acquire(by('a', 11)), false)
    }
  },
  {
    title: 'the holder can extend the lease',
    run: async ({ store: { leases } }) => {
      assert.equal(await leases.acquire(by('a', 0)), true)
      assert.equal(await leases.acquire(by('a', 5)), true)
      assert.equal(await leases.acquire(by('b', 14)), false)
      assert.equal(await leases.acquire(by('b', 15)), true)
    }
  },
  {
    title: 'a released lease can be acquired by anyone, and only its holder can release it',
    run: async ({ store: { leases } }) => {
      assert.equal(await leases.acquire(by('a', 0)), true)
      await leases.release(by('b', 0))
      assert.equal(await leases.acquire(by('b', 1)), false)
      await leases.release(by('a', 0))
      assert.equal(await leases.acquire(by('b', 1)), true)
      await leases.release(by('nobody', 0, 'what nobody took'))
    }
  },
  {
    title: 'of concurrent attempts to acquire a lease, exactly one succeeds',
    run: async ({ store: { leases } }) => {
      const holders = Array.from({ length: 12 }, (_, index) => `holder ${index}`)
      for (const at of [0, 10, 20]) {
        const taken = await Promise.all(holders.map((holder) => leases.acquire(by(`${holder} at ${at}`, at))))
        assert.equal(taken.filter(Boolean).length, 1, `at minute ${at}`)
      }
    }
  },
  {
    title: 'a lease survives a restart if other processes may have it',
    run: async ({ store, reopen }) => {
      assert.equal(await store.leases.acquire(by('a', 0)), true)
      const { leases, isRemote } = await reopen()
      assert.equal(await leases.acquire(by('b', 1)), !isRemote)
      assert.equal(await leases.acquire(by('c', 2)), false)
    }
  }
]
