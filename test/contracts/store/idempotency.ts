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
    operationId: `operation-${at}`,
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
      assert.deepEqual(await idempotency.claim(claimAt(0)), {
        state: 'claimed',
        operationId: 'operation-0',
        isRetry: false
      })
      assert.deepEqual(await idempotency.claim(claimAt(1)), { state: 'running' })
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(2)), { state: 'answered', response: ANSWER })
      assert.deepEqual(await idempotency.claim(claimAt(99)), { state: 'answered', response: ANSWER })
      assert.equal((await idempotency.claim(claimAt(2, { scope: 'another' }))).state, 'claimed')
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
    title: 'a retry of an abandoned or released request has the operation id of the first attempt',
    run: async ({ store: { idempotency } }) => {
      const retry = { state: 'claimed', operationId: 'operation-0', isRetry: true }
      await idempotency.claim(claimAt(0))
      assert.deepEqual(await idempotency.claim(claimAt(20)), retry, 'abandoned')
      await idempotency.release(SCOPE)
      assert.deepEqual(await idempotency.claim(claimAt(21)), retry, 'released')
      await idempotency.release(SCOPE)
      const attempts = await Promise.all(Array.from({ length: 6 }, () => idempotency.claim(claimAt(22))))
      assert.deepEqual(
        attempts.filter(({ state }) => state === 'claimed'),
        [retry]
      )
    }
  },
  {
    title: 'another body, and a request after the expiry, is another operation',
    run: async ({ store: { idempotency } }) => {
      const first = (operationId: string) => ({ state: 'claimed', operationId, isRetry: false })
      await idempotency.claim(claimAt(0))
      assert.deepEqual(await idempotency.claim(claimAt(20, { bodyHash: 'bb' })), first('operation-20'))
      await idempotency.release(SCOPE)
      assert.deepEqual(await idempotency.claim(claimAt(21)), first('operation-21'), 'released, with the first body')
      assert.deepEqual(await idempotency.claim(claimAt(130)), first('operation-130'), 'expired without a response')
      await idempotency.complete(SCOPE, ANSWER)
      assert.deepEqual(await idempotency.claim(claimAt(240)), first('operation-240'), 'expired with a response')
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
      assert.equal((await idempotency.claim(claimAt(101, { bodyHash: 'bb' }))).state, 'claimed')
      assert.deepEqual(await idempotency.claim(claimAt(102, { bodyHash: 'bb' })), { state: 'running' })
      assert.equal(await idempotency.deleteExpired(minute(150)), 0)
    }
  },
  {
    title: 'a released key can be claimed again with any body',
    run: async ({ store: { idempotency } }) => {
      await idempotency.claim(claimAt(0))
      await idempotency.release(SCOPE)
      assert.equal((await idempotency.claim(claimAt(1, { bodyHash: 'bb' }))).state, 'claimed')
      await idempotency.release('nothing')
    }
  },
  {
    title: 'a response to an unclaimed key is not stored',
    run: async ({ store: { idempotency } }) => {
      await idempotency.complete(SCOPE, ANSWER)
      assert.equal((await idempotency.claim(claimAt(1))).state, 'claimed')
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
