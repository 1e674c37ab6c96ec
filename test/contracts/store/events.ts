import assert from 'node:assert/strict'
import type { NewEvent, ProductEventWrite, Store } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import {
  buildDelivery,
  buildEvent,
  buildProductWithPendingEvent,
  buildWebhook,
  deliveriesTo,
  sequencesOf
} from './fixtures/webhooks.ts'

const ALL = { after: 0, limit: 1000 }
const listed = async (store: Store, accountId = 'acme', page: Parameters<Store['events']['list']>[1] = ALL) =>
  (await store.events.list(accountId, page)).map(({ id, sequence }) => ({ id, sequence }))
const numbered = (events: { id: string }[], from = 1) => events.map(({ id }, at) => ({ id, sequence: at + from }))
const addProductEvent = async (store: Store, event: NewEvent, products: ProductEventWrite['products']) =>
  (await store.events.addProductEvents([{ event, products }]))[0]
const sequences = async (store: Store, accountId = 'acme') =>
  (await listed(store, accountId)).map(({ sequence }) => sequence)

export const eventCases: StoreCase[] = [
  {
    title: 'an event is stored byte for byte, with its sequence in the account',
    run: async ({ store }) => {
      const event = buildEvent({
        projectId: 'shop',
        type: 'products.optimized',
        tail: `,"data":${JSON.stringify({ text: 'é\r\n\t"\\\u2028 '.repeat(20_000) })}}`
      })
      await store.events.add([event])
      const stored = { ...event, sequence: 1, fannedOut: false }
      assert.deepEqual(await store.events.find('acme', event.id), stored)
      assert.deepEqual(await store.events.list('acme', ALL), [stored])
      const { head, tail, fannedOut, ...withoutBody } = stored
      assert.deepEqual(await store.events.pendingFanOut('acme', 10), [withoutBody])
      assert.equal(await store.events.find('zeta', event.id), null)
      assert.equal(await store.events.find('acme', 'nothing'), null)
      assert.deepEqual(await store.events.list('nobody', ALL), [])
    }
  },
  {
    title: 'events are numbered 1, 2, 3 in the order of their addition, separately for each account',
    run: async ({ store }) => {
      const [a, b, c, theirs] = [
        buildEvent({ timestamp: minute(3) }),
        buildEvent({ timestamp: minute(2) }),
        buildEvent({ timestamp: minute(1) }),
        buildEvent({ accountId: 'zeta' })
      ]
      await store.events.add([b, theirs, a])
      await store.events.add([c])
      await store.events.add([])
      assert.deepEqual(await listed(store), numbered([b, a, c]))
      assert.deepEqual(await listed(store, 'zeta'), numbered([theirs]))
    }
  },
  {
    title: 'adding an event again changes nothing and uses no sequence',
    run: async ({ store }) => {
      const [a, b] = [buildEvent(), buildEvent()]
      await store.events.add([a, a])
      await store.events.add([{ ...a, tail: ',"data":{}}' }, b])
      assert.deepEqual(await listed(store), numbered([a, b]))
      assert.equal((await store.events.find('acme', a.id))?.tail, a.tail)
    }
  },
  {
    title: 'concurrent events are numbered without gaps',
    run: async ({ store }) => {
      await Promise.all(Array.from({ length: 12 }, () => store.events.add([buildEvent(), buildEvent(), buildEvent()])))
      assert.deepEqual(
        await sequences(store),
        Array.from({ length: 36 }, (_, at) => at + 1)
      )
    }
  },
  {
    title: 'events are listed after a sequence, with a limit and a filter by type',
    run: async ({ store }) => {
      const types = ['blog.published', 'blog.deleted', 'blog.updated', 'blog.deleted', 'blog.published'] as const
      await store.events.add(types.map((type) => buildEvent({ type })))
      const got = async (page: Parameters<Store['events']['list']>[1]) =>
        (await listed(store, 'acme', page)).map(({ sequence }) => sequence)
      assert.deepEqual(await got({ after: 2, limit: 2 }), [3, 4])
      assert.deepEqual(await got({ after: 5, limit: 2 }), [])
      assert.deepEqual(await got({ after: 0, limit: 9, types: ['blog.deleted', 'blog.published'] }), [1, 2, 4, 5])
      assert.deepEqual(await got({ after: 1, limit: 1, types: ['blog.published'] }), [5])
      assert.deepEqual(await got({ after: 0, limit: 9, types: ['visual_check.completed'] }), [])
    }
  },
  {
    title: 'events without deliveries and their accounts are listed in order until they are marked',
    run: async ({ store }) => {
      const [a, b, c, theirs] = [buildEvent(), buildEvent(), buildEvent(), buildEvent({ accountId: 'zeta' })]
      await store.events.add([a, theirs, b, c])
      const waiting = async (limit = 10) => (await store.events.pendingFanOut('acme', limit)).map(({ id }) => id)
      assert.deepEqual(await waiting(), [a.id, b.id, c.id])
      assert.deepEqual(await waiting(2), [a.id, b.id])
      assert.deepEqual((await sweepList(store.events.pendingFanOutAccounts)).toSorted(), ['acme', 'zeta'])
      await store.events.markFannedOut('acme', [a.id, c.id, theirs.id, 'nothing'])
      assert.deepEqual(await waiting(), [b.id])
      assert.deepEqual(
        (await store.events.list('acme', ALL)).map(({ fannedOut }) => fannedOut),
        [true, false, true]
      )
      await store.events.markFannedOut('acme', [b.id])
      assert.deepEqual(await waiting(), [])
      assert.deepEqual(await sweepList(store.events.pendingFanOutAccounts), ['zeta'])
      assert.deepEqual(await store.events.pendingFanOut('nobody', 10), [])
    }
  },
  {
    title: 'a product event is added once and marks its products, with a new version',
    run: async ({ store }) => {
      const [kettle, cup] = [buildProductWithPendingEvent(), buildProductWithPendingEvent({ version: 4 })]
      await store.products.saveMany([kettle, cup].map((product) => ({ product, ifVersion: null })))
      const event = buildEvent({ type: 'products.optimized' })
      assert.equal(
        await addProductEvent(store, event, [
          { id: kettle.id, ifVersion: 1, digest: 'd1' },
          { id: cup.id, ifVersion: 4, digest: 'd2' }
        ]),
        true
      )
      assert.deepEqual(await listed(store), numbered([event]))
      assert.deepEqual(await store.products.find('acme', kettle.id), {
        ...kettle,
        publishedDigest: 'd1',
        eventPendingSince: null,
        version: 2
      })
      assert.deepEqual(await store.products.find('acme', cup.id), {
        ...cup,
        publishedDigest: 'd2',
        eventPendingSince: null,
        version: 5
      })
      assert.equal(await store.products.hasPending({ accountId: 'acme', projectId: 'site' }, 'publish'), false)
    }
  },
  {
    title: 'a product event is not added if it exists, or if a product changed or is not pending',
    run: async ({ store }) => {
      const [kettle, cup, silent] = [
        buildProductWithPendingEvent(),
        buildProductWithPendingEvent(),
        buildProductWithPendingEvent({ eventPendingSince: null })
      ]
      await store.products.saveMany([kettle, cup, silent].map((product) => ({ product, ifVersion: null })))
      const known = buildEvent()
      await store.events.add([known])
      const mark = (id: string, ifVersion = 1) => ({ id, ifVersion, digest: 'd' })
      assert.equal(await addProductEvent(store, buildEvent(), [mark(kettle.id), mark(cup.id, 2)]), false)
      assert.equal(await addProductEvent(store, buildEvent(), [mark(kettle.id), mark(silent.id)]), false)
      assert.equal(await addProductEvent(store, buildEvent(), [mark(kettle.id), mark('nothing')]), false)
      assert.equal(await addProductEvent(store, buildEvent({ accountId: 'zeta' }), [mark(kettle.id)]), false)
      assert.equal(await addProductEvent(store, known, [mark(kettle.id)]), false)
      assert.deepEqual(await listed(store), numbered([known]))
      assert.deepEqual(await listed(store, 'zeta'), [])
      for (const product of [kettle, cup, silent]) {
        assert.deepEqual(await store.products.find('acme', product.id), product)
      }
      const event = buildEvent()
      assert.equal(await addProductEvent(store, event, [mark(kettle.id), mark(cup.id)]), true)
      assert.deepEqual(await listed(store), numbered([known, event]), 'what came to nothing took no number')
    }
  },
  {
    title: 'of several product events, those whose products did not change are added, in order',
    run: async ({ store }) => {
      const products = Array.from({ length: 5 }, () => buildProductWithPendingEvent())
      await store.products.saveMany(products.map((product) => ({ product, ifVersion: null })))
      const mark = (at: number, ifVersion = 1) => ({ id: products[at]!.id, ifVersion, digest: `d${at}` })
      const known = buildEvent()
      await store.events.add([known])
      const events = [buildEvent(), buildEvent(), known, buildEvent()]
      assert.deepEqual(
        await store.events.addProductEvents([
          { event: events[0]!, products: [mark(0), mark(1)] },
          { event: events[1]!, products: [mark(2, 7)] },
          { event: known, products: [mark(3)] },
          { event: events[3]!, products: [mark(4)] }
        ]),
        [true, false, false, true]
      )
      assert.deepEqual(await listed(store), numbered([known, events[0]!, events[3]!]))
      const after = await Promise.all(products.map(({ id }) => store.products.find('acme', id)))
      assert.deepEqual(
        after.map((product) => product?.publishedDigest),
        ['d0', 'd1', null, null, 'd4']
      )
      assert.deepEqual(await store.events.addProductEvents([]), [])
    }
  },
  {
    title: 'of concurrent events of the same product, exactly one is added',
    run: async ({ store }) => {
      const kettle = buildProductWithPendingEvent()
      await store.products.saveMany([{ product: kettle, ifVersion: null }])
      const results = await Promise.all(
        Array.from({ length: 6 }, () =>
          addProductEvent(store, buildEvent(), [{ id: kettle.id, ifVersion: 1, digest: 'd' }])
        )
      )
      assert.equal(results.filter(Boolean).length, 1)
      assert.deepEqual(await sequences(store), [1])
    }
  },
  {
    title: 'old events are swept oldest first with their deliveries, and sequences are not reused',
    run: async ({ store }) => {
      const events = [
        buildEvent({ timestamp: minute(2) }),
        buildEvent({ timestamp: minute(1), accountId: 'zeta' }),
        buildEvent({ timestamp: minute(3) }),
        buildEvent({ timestamp: minute(1) }),
        buildEvent({ timestamp: minute(5) })
      ]
      const [a, theirs, b, waiting, young] = events as [
        (typeof events)[0],
        (typeof events)[0],
        (typeof events)[0],
        (typeof events)[0],
        (typeof events)[0]
      ]
      const webhook = buildWebhook()
      await store.events.add(events)
      await store.webhooks.add(webhook, 50)
      await store.deliveries.add([a, b, young].map((event) => buildDelivery(webhook, event)))
      await store.events.markFannedOut('acme', [a.id, b.id, young.id])
      await store.events.markFannedOut('zeta', [theirs.id])

      assert.equal(await store.events.deleteBefore(minute(5), 2), 2)
      assert.deepEqual(await listed(store, 'zeta'), [])
      assert.deepEqual(await sequences(store), [2, 3, 4])
      assert.equal(await store.events.deleteBefore(minute(5), 10), 1)
      assert.equal(await store.events.deleteBefore(minute(5), 10), 0)
      assert.deepEqual(await listed(store), [
        { id: waiting.id, sequence: 3 },
        { id: young.id, sequence: 4 }
      ])
      assert.deepEqual(await sequencesOf(store, webhook), [3])

      await store.events.markFannedOut('acme', [waiting.id])
      assert.equal(await store.events.deleteBefore(minute(99), 10), 2)
      assert.deepEqual(await sequencesOf(store, webhook), [])
      const next = buildEvent()
      await store.events.add([next, buildEvent({ accountId: 'zeta' })])
      await store.deliveries.add([buildDelivery(webhook, next)])
      assert.deepEqual(await sequences(store), [5])
      assert.deepEqual(await sequences(store, 'zeta'), [2])
      assert.deepEqual(await sequencesOf(store, webhook), [4])
    }
  },
  {
    title: 'the oldest events of an account are trimmed to a size with their deliveries, and sequences are not reused',
    run: async ({ store }) => {
      const events = Array.from({ length: 6 }, () => buildEvent({ head: '{"é":', tail: ',"é":"🫖"}' }))
      const theirs = buildEvent({ accountId: 'zeta' })
      const webhook = buildWebhook()
      await store.events.add([...events, theirs])
      await store.webhooks.add(webhook, 50)
      await store.deliveries.add(events.map((event) => buildDelivery(webhook, event)))
      const fannedOut = async (...given: NewEvent[]) => {
        const ids = given.map(({ id }) => id)
        for (const accountId of ['acme', 'zeta']) await store.events.markFannedOut(accountId, ids)
      }
      await fannedOut(theirs, ...events.filter((_, at) => at !== 1))
      const trim = async (maxBytes: number, { upTo = 99, limit = 10 } = {}) =>
        await store.events.trim('acme', { maxBytes, upTo, limit })
      const size = Buffer.byteLength('{"é":,"é":"🫖"}')

      assert.deepEqual(await trim(6 * size), { deleted: 0, fitting: 6 })
      assert.deepEqual(await trim(5 * size - 1, { upTo: 0 }), { deleted: 0, fitting: 4 })
      assert.deepEqual(await trim(3 * size, { limit: 1 }), { deleted: 1, fitting: 3 })
      assert.deepEqual(await sequences(store), [2, 3, 4, 5, 6])
      assert.deepEqual(await trim(4 * size), { deleted: 0, fitting: 4 }, 'an event without deliveries stays')
      assert.deepEqual(await trim(3 * size), { deleted: 1, fitting: 3 })
      assert.deepEqual(await sequences(store), [2, 4, 5, 6])
      assert.deepEqual(await sequencesOf(store, webhook), [6, 5, 4, 2])
      assert.deepEqual(await trim(size - 1, { upTo: 5 }), { deleted: 2, fitting: 0 })
      assert.deepEqual(await sequences(store), [2, 6])
      assert.deepEqual(await listed(store, 'acme', { after: 2, limit: 1 }), [{ id: events[5]!.id, sequence: 6 }])

      await fannedOut(events[1]!)
      assert.deepEqual(await trim(0), { deleted: 2, fitting: 0 })
      assert.deepEqual(await trim(0), { deleted: 0, fitting: 0 })
      assert.deepEqual(await sequencesOf(store, webhook), [])
      assert.deepEqual(await listed(store, 'zeta'), [{ id: theirs.id, sequence: 1 }])
      const next = buildEvent()
      await store.events.add([next])
      await store.deliveries.add([buildDelivery(webhook, next)])
      assert.deepEqual(await sequences(store), [7])
      assert.deepEqual(await sequencesOf(store, webhook), [7])
    }
  },
  {
    title: 'events and the state of their deliveries survive reopening the store',
    run: async ({ store, reopen }) => {
      const webhook = buildWebhook()
      await deliveriesTo(store, webhook, 3)
      const before = await store.events.list('acme', ALL)
      const again = await reopen()
      assert.deepEqual(await again.events.list('acme', ALL), before)
      assert.deepEqual(await sequencesOf(again, webhook), [3, 2, 1])
      await again.events.add([buildEvent()])
      assert.deepEqual(await sequences(again), [1, 2, 3, 4])
    }
  }
]
