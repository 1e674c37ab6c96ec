import assert from 'node:assert/strict'
import type { IdempotencyClaim, StoredResponse } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'

/**
 * A claim at a minute, which expires 100 minutes later; a claim without an answer is stale after
 * 10.
 */
function claimAt(at: number, change: Partial<IdempotencyClaim> = {}): IdempotencyClaim {
  return {
    scope: 'acme POST /api/v1/blogs key-1',
    bodyHash: 'aa',
    at: minute(at),
    expiresAt: minute(at + 100),
    staleBefore: minute(at - 10),
    ...change
  }
}
const SCOPE = claimAt(0).scope
const ANSWER: StoredResponse = { status: 201, headers: { location: '/api/v1/blogs/tea' }, body: '{"title":"Tée"}' }

export const idempotencyCases: StoreCase[] = [
  {
    title: 'a claimed key is running until it is completed, and then has the first response',
    run: async ({ store: { idempotency } }) => {
      assert.deepEqual(await idempotency.claim(claimAt(0)), { state: 'claimed' })
      assert.deepEqual(await idempotency.claim(claimAt(1)), { state: 'running' })
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(2)), { state: 'answered', response: ANSWER })
      assert.deepEqual(await idempotency.claim(claimAt(99)), { state: 'answered', response: ANSWER })
      assert.deepEqual(await idempotency.claim(claimAt(2, { scope: 'another' })), { state: 'claimed' })
    }
  },
  {
    title: 'of concurrent requests with one key, exactly one runs',
    run: async ({ store: { idempotency } }) => {
      const states = await Promise.all(Array.from({ length: 10 }, () => idempotency.claim(claimAt(0))))
      assert.equal(states.filter(({ state }) => state === 'claimed').length, 1)
      assert.equal(states.filter(({ state }) => state === 'running').length, 9)
    }
  },
  {
    title: 'a key with another body is reported as reused, completed or not',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      assert.deepEqual(await idempotency.claim(claimAt(1, { bodyHash: 'bb' })), { state: 'reused' })
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(1, { bodyHash: 'bb' })), { state: 'reused' })
      assert.deepEqual(await idempotency.claim(claimAt(1)), { state: 'answered', response: ANSWER })
    }
  },
  {
    title: 'exactly one request takes over a stale claim',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      assert.deepEqual(await idempotency.claim(claimAt(9)), { state: 'running' })
      const states = await Promise.all(Array.from({ length: 6 }, () => idempotency.claim(claimAt(11))))
      assert.equal(states.filter(({ state }) => state === 'claimed').length, 1)
      assert.deepEqual(await idempotency.claim(claimAt(20)), { state: 'running' })
    }
  },
  {
    title: 'a response does not become stale',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(50)), { state: 'answered', response: ANSWER })
    }
  },
  {
    title: 'an expired key can be claimed again with any body, completed or not',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(101, { bodyHash: 'bb' })), { state: 'claimed' })
      assert.deepEqual(await idempotency.claim(claimAt(102, { bodyHash: 'bb' })), { state: 'running' })
      assert.equal(await idempotency.deleteExpired(minute(150)), 0)
    }
  },
  {
    title: 'a released key can be claimed again with any body',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      await idempotency.release(SCOPE)
      assert.deepEqual(await idempotency.claim(claimAt(1, { bodyHash: 'bb' })), { state: 'claimed' })
      await idempotency.release('nothing')
    }
  },
  {
    title: 'a response to an unclaimed key is not stored',
    run: async ({ store: { idempotency } }) => {
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(1)), { state: 'claimed' })
    }
  },
  {
    title: 'a sweep deletes expired keys and returns their number',
    run: async ({ store: { idempotency } }) => {
      for (const at of [0, 1, 2, 50]) await idempotency.claim(claimAt(at, { scope: `scope-${at}` }))
      await idempotency.complete('scope-1', ANSWER)
      assert.equal(await idempotency.deleteExpired(minute(99)), 0)
      assert.equal(await idempotency.deleteExpired(minute(110)), 3)
      assert.equal(await idempotency.deleteExpired(minute(110)), 0)
      assert.deepEqual(await idempotency.claim(claimAt(51, { scope: 'scope-50' })), { state: 'running' })
    }
  }
]
