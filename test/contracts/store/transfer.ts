import assert from 'node:assert/strict'
import type { Store } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { ACME, buildBlog, buildAccount, withoutBody, listed, minute, tombstoneOf } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import { buildProduct, buildImportStep, fresh, productsListed, SITE } from './fixtures/products.ts'
import { withOtherStore, countOf, readAll, fill, KINDS, pagesOf, putAll, type Everything } from './fixtures/transfer.ts'
import { buildDelivery, buildEvent, deliveriesTo, sequencesOf, claimAt } from './fixtures/webhooks.ts'

type Given = Awaited<ReturnType<typeof fill>>

/** What everybody may ask of a store that `fill` has filled, and what it answers. */
async function answersOf(store: Store, given: Given) {
  const {
    keys,
    blog,
    draft,
    deletedBlog,
    waiting,
    running,
    done,
    webhook,
    disabled,
    removed,
    deliveries,
    recovery,
    check
  } = given
  return {
    accounts: await store.accounts.list({ afterId: null, limit: 100 }),
    projects: [await store.projects.list('acme'), await store.projects.list('zeta')],
    keys: [await store.apiKeys.list('acme'), (await store.apiKeys.findByHash(keys[2]!.hash))?.key],
    blogs: [
      await store.blogs.find('acme', blog.id),
      await store.blogs.find('acme', draft.id),
      await store.blogs.findTombstone('acme', deletedBlog.id)
    ],
    slugs: await Promise.all(
      ['new', 'old', 'older', 'removed-slug', 'never'].map((slug) => store.blogs.resolveSlug(ACME, slug))
    ),
    lists: [
      await listed(store),
      await listed(store, { terms: ['kettle'] }),
      await listed(store, { terms: ['zo'] }),
      await listed(store, { tag: 'b' }),
      await listed(store, { status: 'any' })
    ],
    overviews: [
      await store.blogs.countByLabel('category', ACME),
      await store.blogs.countByLabel('tag', ACME),
      await store.blogs.countByLabel('author', ACME),
      await store.blogs.findTranslations({ accountId: 'acme', projectId: 'site' }, ['tea']),
      await store.blogs.redirects(ACME),
      await store.blogs.removedSince(ACME, minute(0), { after: null, limit: 100 }),
      await store.blogs.removedSince({ ...ACME, projectId: 'before' }, minute(0), { after: null, limit: 100 }),
      await store.blogs.dueToPublish(minute(99), { after: null, limit: 10 })
    ],
    marks: [await store.blogs.pendingRelated('acme', 10), await sweepList(store.blogs.pendingRelatedAccounts)].map(
      (list) => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    ),
    related: [
      await store.blogs.related('acme', blog.id),
      await store.blogs.vectors('acme', { afterId: null, limit: 10 })
    ],
    revisions: [
      await store.blogRevisions.list('acme', blog.id, { from: 1, before: 9 }),
      await store.blogRevisions.find('acme', blog.id, 2)
    ],
    images: [await store.images.list('acme', blog.id), await store.images.list('acme', deletedBlog.id)],
    products: [
      await store.products.find('acme', waiting.id),
      await productsListed(store),
      await productsListed(store, { terms: ['kettle'] }),
      await productsListed(store, { sku: waiting.sku! })
    ],
    claims: (await store.products.findClaimOwners(SITE, ['handle kettle', 'title 1', 'handle pot', 'free'])).toSorted(
      (a, b) => (a.claim < b.claim ? -1 : 1)
    ),
    work: [
      await store.products.pending(SITE, 'optimize', 10),
      await store.products.pending(SITE, 'imageCheck', 10),
      await store.products.pendingEvents(SITE, 10),
      await sweepList((page) => store.products.pendingProjects('optimize', page))
    ],
    imports: [
      await store.imports.list(ACME, { page: 1, pageSize: 10 }),
      await sweepList(store.imports.unfinished),
      await store.imports.errors(running.id, { afterLine: 0, limit: 10 }),
      await store.imports.errors(done.id, { afterLine: 0, limit: 10 })
    ],
    checks: [
      await store.visualChecks.find('acme', check.id),
      await store.visualChecks.list(check, { page: 1, pageSize: 10 }),
      await sweepList((page) => store.visualChecks.unfinished(minute(9), page))
    ],
    events: [
      await store.events.list('acme', { after: 0, limit: 100 }),
      await store.events.pendingFanOut('zeta', 10),
      await sweepList(store.events.pendingFanOutAccounts)
    ],
    webhooks: [
      await store.webhooks.list('acme'),
      await store.webhooks.list('zeta'),
      await store.webhooks.find('acme', removed.id)
    ],
    deliveries: [
      await sequencesOf(store, webhook),
      await sequencesOf(store, disabled),
      (await store.deliveries.find('acme', deliveries[0]!.id))?.attemptLog,
      await sweepList((page) => store.deliveries.dueWebhooks(minute(99), page))
    ],
    recoveries: [await store.recoveries.find('acme', recovery.id), await sweepList(store.recoveries.unfinished)],
    usage: [await store.usage.hours('acme', minute(0)), await store.usage.hours('zeta', minute(0))]
  }
}

/** With what another, filled store keeps. */
async function filledElsewhere(act: (moved: Everything, given: Given, other: Store) => Promise<void>): Promise<void> {
  await withOtherStore(async (other) => {
    const given = await fill(other)
    await act(await readAll(other), given, other)
  })
}

export const transferCases: StoreCase[] = [
  {
    title: 'all data of another store can be moved here, and every read returns the same',
    run: async ({ store, reopen }) =>
      await filledElsewhere(async (moved, given, other) => {
        for (const kind of KINDS) assert.ok(moved[kind].length > 0, `something of every kind is moved: ${kind}`)
        assert.deepEqual(await putAll(store, moved), { added: countOf(moved), unchanged: 0, orphans: 0, conflicts: [] })
        assert.deepEqual(await readAll(store), moved)
        const expected = await answersOf(other, given)
        assert.deepEqual(await answersOf(store, given), expected)
        assert.deepEqual(await answersOf(await reopen(), given), expected)
      })
  },
  {
    title: 'all data of this store can be moved to another one, and every read returns the same',
    run: async ({ store }) => {
      const given = await fill(store)
      const moved = await readAll(store)
      await withOtherStore(async (other) => {
        assert.deepEqual(await putAll(other, moved), { added: countOf(moved), unchanged: 0, orphans: 0, conflicts: [] })
        assert.deepEqual(await readAll(other), moved)
        assert.deepEqual(await answersOf(other, given), await answersOf(store, given))
      })
    }
  },
  {
    title: 'sequences, claims, versions, searches and pending work continue after a move',
    run: async ({ store }) =>
      await filledElsewhere(async (moved, { blog, waiting, running, webhook, events, recovery }) => {
        await putAll(store, moved)
        const last = moved.eventCounter.find(({ accountId }) => accountId === 'acme')!.last
        const [again, event] = [events[0]!, buildEvent({ timestamp: minute(30) })]
        await store.events.add([again, event])
        assert.equal((await store.events.find('acme', event.id))?.sequence, last + 1)
        await store.deliveries.add([buildDelivery(webhook, again), buildDelivery(webhook, event)])
        assert.deepEqual(await sequencesOf(store, webhook), [6, 5, 4, 3, 2, 1])
        assert.deepEqual(await claimAt(store, webhook, 40), [1, 3, 4, 5, 6], 'nobody holds what was leased elsewhere')
        assert.equal(
          await store.recoveries.advance(
            { accountId: 'acme', id: recovery.id, afterSequence: 0 },
            { change: { status: 'done', finishedAt: minute(50) }, requeue: [], at: minute(50) }
          ),
          true
        )
        const taken = buildProduct({ claims: ['handle kettle'] })
        assert.deepEqual(
          await store.products.saveMany([
            fresh(taken),
            fresh({ ...taken, claims: ['free'], externalId: waiting.externalId })
          ]),
          ['taken', 'conflict']
        )
        assert.equal(
          await store.products.markOptimizePending(SITE, { externalIds: null, at: minute(60), force: false }),
          3
        )
        assert.equal(
          (
            await store.imports.advance(
              buildImportStep(
                { ...running, nextByte: 100 },
                { change: { status: 'done', nextByte: 900, finishedAt: minute(9) } }
              )
            )
          )?.nextByte,
          900
        )
        await assert.rejects(store.blogs.add(buildBlog({ slug: blog.slug })), { code: 'slug_taken' })
        assert.equal(await store.blogs.delete(tombstoneOf(blog, { deletedAt: minute(600) }), blog.version), true)
        assert.equal((await store.blogs.resolveSlug(ACME, 'older'))?.kind, 'gone')
        assert.deepEqual(await listed(store, { terms: ['kettle'] }), { slugs: [], total: 0 })
      })
  },
  {
    title: 'sequences continue even if all events were swept before the move',
    run: async ({ store }) =>
      await withOtherStore(async (other) => {
        const webhook = { ...(await fill(other)).webhook, id: 'w-2' }
        const deliveries = await deliveriesTo(other, webhook, 2)
        for (const accountId of ['acme', 'zeta']) {
          await other.events.markFannedOut(
            accountId,
            (await other.events.list(accountId, { after: 0, limit: 100 })).map(({ id }) => id)
          )
        }
        while ((await other.events.deleteBefore(minute(10_000), 100)) > 0);
        const moved = await readAll(other)
        assert.deepEqual([moved.event.length, moved.delivery.length], [0, 0])
        await putAll(store, moved)
        const event = buildEvent()
        await store.events.add([event])
        assert.equal(
          (await store.events.find('acme', event.id))?.sequence,
          moved.eventCounter.find(({ accountId }) => accountId === 'acme')!.last + 1
        )
        await store.deliveries.add([buildDelivery(webhook, event)])
        assert.deepEqual(await sequencesOf(store, webhook), [deliveries.length + 1])
        assert.deepEqual(
          (await readAll(store)).deliveryCounter.find(({ webhookId }) => webhookId === 'w-2'),
          { accountId: 'acme', webhookId: 'w-2', last: 3 }
        )
      })
  },
  {
    title: 'a repeated move changes nothing, and an interrupted one is completed',
    run: async ({ store }) =>
      await filledElsewhere(async (moved) => {
        const before = KINDS.slice(0, KINDS.indexOf('delivery'))
        for (const kind of before) await store.transfer.put(kind, moved[kind] as never)
        await store.transfer.put('delivery', moved.delivery.slice(0, 2))
        const done = before.reduce((count, kind) => count + moved[kind].length, 2)
        assert.deepEqual(await putAll(store, moved), {
          added: countOf(moved) - done,
          unchanged: done,
          orphans: 0,
          conflicts: []
        })
        assert.deepEqual(await putAll(store, moved), { added: 0, unchanged: countOf(moved), orphans: 0, conflicts: [] })
        assert.deepEqual(await readAll(store), moved)
      })
  },
  {
    title: 'compare returns the outcome of put and changes nothing',
    run: async ({ store }) =>
      await filledElsewhere(async (moved) => {
        assert.deepEqual(await putAll(store, moved, 'compare'), {
          added: countOf(moved),
          unchanged: 0,
          orphans: 0,
          conflicts: []
        })
        assert.equal(countOf(await readAll(store)), 0)
        await putAll(store, moved)
        assert.deepEqual(await putAll(store, moved, 'compare'), {
          added: 0,
          unchanged: countOf(moved),
          orphans: 0,
          conflicts: []
        })
      })
  },
  {
    title: 'records that exist with other content are not changed and reported',
    run: async ({ store }) =>
      await filledElsewhere(async (moved) => {
        await putAll(store, moved)
        const others = {
          account: { ...moved.account[0]!, plan: 'sage' },
          apiKey: { ...moved.apiKey[0]!, id: 'another' },
          blog: { ...moved.blog[0]!, id: 'another' },
          pendingRelated: { ...moved.pendingRelated[0]!, version: 99 },
          related: { ...moved.related[0]!, related: [] },
          tombstone: { ...moved.tombstone[0]!, slug: 'another' },
          image: { ...moved.image[0]!, alt: 'another' },
          product: { ...moved.product.find(({ claims }) => claims.length > 0)!, id: 'another', externalId: 'another' },
          import: { ...moved.import[0]!, processed: 999 },
          visualCheck: { ...moved.visualCheck[0]!, url: 'https://another.example/' },
          event: { ...moved.event[0]!, id: 'another' },
          eventCounter: { ...moved.eventCounter[0]!, last: 1 },
          webhook: { ...moved.webhook[0]!, url: 'https://another.example' },
          delivery: { ...moved.delivery[0]!, id: 'another' },
          idempotency: { ...moved.idempotency[0]!, bodyHash: 'another' },
          usage: { ...moved.usage[0]!, requests: 999 }
        }
        for (const [kind, record] of Object.entries(others) as [keyof typeof others, never][]) {
          for (const how of ['compare', 'put'] as const) {
            const { conflicts, ...counts } = await store.transfer[how](kind, [record])
            assert.deepEqual(counts, { added: 0, unchanged: 0, orphans: 0 }, kind)
            assert.equal(conflicts.length, 1, kind)
            assert.ok(conflicts[0]!.startsWith(`${kind} `), kind)
          }
        }
        const { id, externalId, accountId, projectId } = moved.product[0]!
        assert.equal(
          (await store.transfer.put('product', [buildProduct({ accountId, projectId, externalId })])).conflicts.length,
          1
        )
        assert.equal(
          (await store.transfer.put('product', [{ ...moved.product[0]!, title: 'another' }])).conflicts[0],
          `product ${id}`
        )
        assert.deepEqual(await readAll(store), moved)
      })
  },
  {
    title: 'records whose owner is missing are skipped',
    run: async ({ store }) =>
      await filledElsewhere(async (moved) => {
        for (const kind of ['account', 'blog', 'event'] as const) await store.transfer.put(kind, moved[kind] as never)
        const { delivery, deliveryCounter, recovery } = moved
        assert.deepEqual(await store.transfer.put('delivery', delivery), {
          added: 0,
          unchanged: 0,
          orphans: delivery.length,
          conflicts: []
        })
        assert.equal((await store.transfer.put('deliveryCounter', deliveryCounter)).orphans, deliveryCounter.length)
        assert.equal((await store.transfer.put('recovery', recovery)).orphans, recovery.length)
        assert.equal(
          (await store.transfer.put('related', [{ accountId: 'acme', id: 'nothing', related: [] }])).orphans,
          1
        )
        assert.equal(
          (await store.transfer.put('pendingRelated', [{ accountId: 'acme', id: 'nothing', version: 1 }])).orphans,
          1
        )
        const living = moved.blog[0]!
        assert.equal(
          (await store.transfer.put('tombstone', [tombstoneOf(living)])).orphans,
          1,
          'a blog that was deleted while it was read lives on'
        )
        assert.deepEqual(await store.blogs.findMetadata(living.accountId, living.id), withoutBody(living))
        assert.deepEqual((await readAll(store)).delivery, [])
      })
  },
  {
    title: 'pages are complete for every page size, in code point order',
    run: async ({ store }) => {
      const ids = ['a', 'B', 'ä', '😀', 'ｚ', '1']
      for (const id of ids) await store.accounts.insertIfAbsent(buildAccount(id))
      for (const limit of [1, 2, 3, 6, 7]) {
        assert.deepEqual(
          (await pagesOf(store, 'account', limit)).map(({ id }) => id),
          ['1', 'B', 'a', 'ä', 'ｚ', '😀']
        )
      }
      await store.events.add(['b', 'a', 'b', 'b', 'a'].map((accountId) => buildEvent({ accountId })))
      for (const limit of [1, 2, 5]) {
        assert.deepEqual(
          (await pagesOf(store, 'event', limit)).map(({ accountId, sequence }) => `${accountId}${sequence}`),
          ['a1', 'a2', 'b1', 'b2', 'b3']
        )
      }
      assert.deepEqual(await store.transfer.page('webhook', { after: null, limit: 10 }), { records: [], next: null })
    }
  }
]
