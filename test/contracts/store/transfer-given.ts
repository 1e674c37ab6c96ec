import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSqliteStore } from '../../../ports/store/sqlite/index.ts'
import type { Store, TransferKind, TransferOutcome, TransferRecord } from '../../../ports/store/port.ts'
import { aCheck, anEnd } from './check-given.ts'
import { aBlog, aKey, aProject, anAccount, anImage, minute, next, tombstoneOf } from './given.ts'
import { anImport, anImportError, aProduct, aStep, fresh } from './product-given.ts'
import { aChange, aDelivery, anEvent, anUntoldProduct, aRecovery, aWebhook, DELIVERED } from './webhook-given.ts'

const ALL: Record<TransferKind, true> = {
  account: true,
  project: true,
  apiKey: true,
  blog: true,
  tombstone: true,
  pendingRelated: true,
  related: true,
  image: true,
  product: true,
  import: true,
  importError: true,
  visualCheck: true,
  event: true,
  eventCounter: true,
  webhook: true,
  delivery: true,
  deliveryCounter: true,
  recovery: true,
  idempotency: true,
  usage: true
}
export const KINDS = Object.keys(ALL) as TransferKind[]

export type Everything = { [Kind in TransferKind]: TransferRecord<Kind>[] }

/** All records of the kind, read in pages of this size. */
export async function pagesOf<Kind extends TransferKind>(
  store: Store,
  kind: Kind,
  limit = 2
): Promise<TransferRecord<Kind>[]> {
  const records: TransferRecord<Kind>[] = []
  for (let after: string | null = null, pages = 0; ; pages++) {
    const page: { records: TransferRecord<Kind>[]; next: string | null } = await store.transfer.page(kind, {
      after,
      limit
    })
    assert.ok(page.records.length <= limit && pages < 1000, kind)
    records.push(...page.records)
    if (page.next === null) return records
    after = page.next
  }
}

const NAMING = ['accountId', 'id', 'blogId', 'filename', 'importId', 'line', 'sequence', 'webhookId', 'scope', 'hour']
/** What tells a record from others of its kind. */
const nameOf = (record: object): string =>
  JSON.stringify(NAMING.map((field) => (record as Record<string, unknown>)[field]))

export async function everythingIn(store: Store): Promise<Everything> {
  const entries: [TransferKind, unknown[]][] = []
  // Each store has an order of its own for some kinds.
  for (const kind of KINDS) {
    entries.push([kind, (await pagesOf(store, kind)).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))])
  }
  return Object.fromEntries(entries) as unknown as Everything
}

/** Puts everything, each kind at once; the sum of what became of it. */
export async function putAll(
  store: Store,
  everything: Everything,
  how: 'put' | 'compare' = 'put'
): Promise<TransferOutcome> {
  const sum: TransferOutcome = { added: 0, unchanged: 0, orphans: 0, conflicts: [] }
  for (const kind of KINDS) {
    const { added, unchanged, orphans, conflicts } = await store.transfer[how](kind, everything[kind])
    sum.added += added
    sum.unchanged += unchanged
    sum.orphans += orphans
    sum.conflicts.push(...conflicts)
  }
  return sum
}

export const countOf = (everything: Everything): number =>
  KINDS.reduce((count, kind) => count + everything[kind].length, 0)

/** An embedded store of its own, for as long as `act` takes: the other end of a move. */
export async function besides(act: (other: Store) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'transfer-'))
  const store = await openSqliteStore({ path: path.join(folder, 'store.db') })
  try {
    await act(store)
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Fills an empty store with something of every noun in many states, through its own methods alone.
 */
export async function fill(store: Store) {
  for (const id of ['acme', 'zeta', 'ähre', '😀']) {
    await store.accounts.insertIfAbsent(anAccount(id, { plan: 'samurai', requestsPerHour: id === 'zeta' ? 7 : null }))
  }
  for (const project of [
    aProject('acme', 'site'),
    aProject('acme', 'shop', { siteUrl: 'https://shop.example' }),
    aProject('zeta', 'site')
  ]) {
    await store.projects.insertIfAbsent(project)
  }
  const keys = [
    aKey({ lastUsedAt: minute(3), generation: 4 }),
    aKey({ disabled: true, projectIds: ['site'] }),
    aKey({ accountId: 'zeta', expiresAt: minute(9) })
  ]
  for (const key of keys) await store.apiKeys.add(key, 25)
  const blogs = await fillBlogs(store)
  const products = await fillProducts(store)
  const checks = await fillChecks(store)
  const webhooks = await fillWebhooks(store)
  await store.idempotency.claim({
    scope: 'acme POST /a',
    bodyHash: 'aa',
    at: minute(0),
    expiresAt: minute(99),
    staleBefore: minute(0)
  })
  await store.idempotency.claim({
    scope: 'acme POST /b',
    bodyHash: 'bb',
    at: minute(0),
    expiresAt: minute(99),
    staleBefore: minute(0)
  })
  await store.idempotency.complete('acme POST /a', {
    status: 201,
    headers: { location: '/x', 'x.y$z': '1' },
    body: '{"a":"é"}'
  })
  await store.usage.add([
    { accountId: 'acme', hour: minute(0), requests: 5, refused: 1 },
    { accountId: 'acme', hour: minute(60), requests: 2, refused: 0 },
    { accountId: 'zeta', hour: minute(0), requests: 1, refused: 1 }
  ])
  return { keys, ...blogs, ...products, ...checks, ...webhooks }
}

async function fillBlogs(store: Store) {
  const moved = aBlog({
    slug: 'new',
    formerSlugs: [
      { slug: 'old', leftAt: minute(1) },
      { slug: 'older', leftAt: minute(0) }
    ],
    tags: ['a', 'b'],
    category: 'Tea',
    body: { titleTerms: ['kettle'], textTerms: ['zoë'] }
  })
  const draft = aBlog({
    status: 'draft',
    publishedAt: null,
    slugWasPublic: false,
    body: {
      source: {
        format: 'html',
        text: '<p>$where: a.b</p>',
        css: null,
        metaDescription: null,
        ogImageUrl: null,
        canonicalUrl: null
      }
    }
  })
  const scheduled = aBlog({ status: 'scheduled', publishedAt: null, publishAt: minute(50), accountId: 'zeta' })
  const buried = aBlog({ slug: 'buried', formerSlugs: [{ slug: 'old', leftAt: minute(2) }] })
  for (const blog of [moved, draft, scheduled, buried]) {
    await store.blogs.add(blog, [anEvent({ accountId: blog.accountId })])
  }
  const saved = next(moved, { title: 'Second' })
  await store.blogs.save(saved, 1, [anEvent()])
  await store.blogs.setRelated('acme', [
    {
      id: moved.id,
      related: [
        { id: 'y', score: 0.25 },
        { id: 'x', score: 0.75 }
      ]
    }
  ])
  for (const image of [
    anImage(moved.id, 'b.jpg', { createdAt: minute(1) }),
    anImage(moved.id, 'a.jpg', { createdAt: minute(2) }),
    anImage(buried.id, 'gone.jpg')
  ]) {
    await store.images.insertIfAbsent(image)
  }
  await store.blogs.delete(tombstoneOf(buried), 1, [anEvent()])
  return { blog: saved, draft, scheduled, buried }
}

async function fillProducts(store: Store) {
  const attributes = { size: 'L', 'a.b': '1', $set: 'x', '': 'empty' }
  const waiting = aProduct({
    attributes,
    claims: ['handle kettle', 'title 1'],
    optimizePendingSince: minute(1),
    imageCheckPendingSince: minute(2),
    status: 'pending',
    imageCheck: null
  })
  const told = aProduct({
    claims: ['handle pot'],
    seo: {
      metaTitle: { value: 'Pot', source: 'human' },
      metaDescription: null,
      pageTitle: null,
      pageDescription: null,
      imageUrl: null,
      handle: null
    }
  })
  const untold = anUntoldProduct()
  await store.products.saveMany(
    [waiting, told, untold, aProduct({ projectId: 'shop' }), aProduct({ accountId: 'zeta' })].map(fresh)
  )
  const [running, done] = [anImport(), anImport()]
  for (const record of [running, done]) await store.imports.add(record)
  await store.imports.advance(
    aStep(running, { errors: [anImportError(running, 12), anImportError(running, 3, { externalId: null })] })
  )
  await store.imports.advance(
    aStep(done, {
      change: { status: 'done', nextByte: 900, processed: 9, finishedAt: minute(7) },
      errors: [anImportError(done, 1)],
      events: [anEvent({ type: 'products.import.completed' })]
    })
  )
  return { waiting, told, untold, running, done }
}

async function fillChecks(store: Store) {
  const [waiting, ended, other] = [aCheck(), aCheck(), aCheck({ accountId: 'zeta' })]
  for (const check of [waiting, ended, other]) await store.visualChecks.add(check, 4)
  await store.visualChecks.start({ accountId: 'acme', id: ended.id, at: minute(2), staleBefore: minute(0) })
  await store.visualChecks.finish({ accountId: 'acme', id: ended.id, attempt: 1 }, anEnd(), [
    anEvent({ type: 'visual_check.completed' })
  ])
  return { check: ended }
}

async function fillWebhooks(store: Store) {
  const webhook = aWebhook({
    secrets: [
      { id: 's2', ciphertext: 'v1.b', createdAt: minute(2), expiresAt: null },
      { id: 's1', ciphertext: 'v1.a', createdAt: minute(0), expiresAt: minute(99) }
    ]
  })
  const disabled = aWebhook({
    disabledBy: 'person',
    disabledReason: 'Zoë',
    disabledAt: minute(3),
    events: null,
    version: 7
  })
  const removed = aWebhook()
  for (const each of [webhook, disabled, removed, aWebhook({ accountId: 'zeta' })]) await store.webhooks.add(each, 50)
  const events = Array.from({ length: 5 }, (_, at) => anEvent({ timestamp: minute(10 + at) }))
  await store.events.add(events)
  const deliveries = events.map((event) => aDelivery(webhook, event))
  await store.deliveries.add([
    ...deliveries,
    aDelivery(disabled, events[0]!, { status: 'skipped', nextAttemptAt: null }),
    aDelivery(removed, events[0]!)
  ])
  await store.events.markFannedOut(
    'acme',
    events.slice(0, 3).map(({ id }) => id)
  )
  await store.deliveries.claim(webhook.id, { now: minute(20), leaseUntil: minute(25), limit: 3, maxInFlight: 10 })
  await store.deliveries.recordAttempts([aChange(deliveries[0]!, 1), aChange(deliveries[1]!, 1, DELIVERED)])
  await store.deliveries.recordAttempts([aChange(deliveries[0]!, 2)])
  const recovery = aRecovery(webhook)
  await store.recoveries.add(recovery)
  await store.webhooks.delete('acme', removed.id)
  return { webhook, disabled, removed, events, deliveries, recovery }
}
