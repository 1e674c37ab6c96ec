import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'

const hour = (count: number) => minute(count * 60)

export const usageCases: StoreCase[] = [
  {
    title: 'requests are summed by account and hour, and listed oldest first',
    run: async ({ store }) => {
      await store.usage.add([
        { accountId: 'acme', hour: hour(2), requests: 3, refused: 1 },
        { accountId: 'acme', hour: hour(1), requests: 5, refused: 0 },
        { accountId: 'zeta', hour: hour(1), requests: 7, refused: 0 }
      ])
      await store.usage.add([
        { accountId: 'acme', hour: hour(2), requests: 1, refused: 0 },
        { accountId: 'acme', hour: hour(2), requests: 0, refused: 4 }
      ])
      assert.deepEqual(await store.usage.hours('acme', hour(0)), [
        { hour: hour(1), requests: 5, refused: 0 },
        { hour: hour(2), requests: 4, refused: 5 }
      ])
      assert.deepEqual(await store.usage.hours('acme', hour(2)), [{ hour: hour(2), requests: 4, refused: 5 }])
      assert.deepEqual(await store.usage.hours('acme', hour(3)), [])
      assert.deepEqual(await store.usage.hours('nobody', hour(0)), [])
    }
  },
  {
    title: 'concurrent counts lose no request',
    run: async ({ store }) => {
      await Promise.all(
        Array.from({ length: 40 }, () =>
          store.usage.add([{ accountId: 'acme', hour: hour(1), requests: 2, refused: 1 }])
        )
      )
      assert.deepEqual(await store.usage.hours('acme', hour(0)), [{ hour: hour(1), requests: 80, refused: 40 }])
    }
  },
  {
    title: 'hours without requests are omitted',
    run: async ({ store }) => {
      await store.usage.add([
        { accountId: 'acme', hour: hour(1), requests: 0, refused: 0 },
        { accountId: 'acme', hour: hour(2), requests: 0, refused: 1 }
      ])
      assert.deepEqual(
        (await store.usage.hours('acme', hour(0))).map((each) => each.hour),
        [hour(2)]
      )
    }
  }
]
