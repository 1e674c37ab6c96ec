import t from 'tap'
import { ProductsOptimizedEvent } from '../../schemas/event-bodies.ts'
import { client, person, startApp } from '../helper.ts'
import { small } from '../profile.ts'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'

interface Entry {
  external_id: string
  meta_title: string
  handle: string
}

const PRODUCTS = small ? 200 : 10_000
const SEVEN = [
  'external_id',
  'meta_title',
  'meta_description',
  'page_title',
  'page_description',
  'image_url',
  'handle'
].sort()

const product = (i: number) => ({
  externalId: `p-${i}`,
  title: `Garden chair ${i}`,
  description:
    `A chair of oak for the garden, the ${i}th of its kind, oiled by hand and made to stay outside ` + 'all year.',
  price: i / 100,
  category: 'Garden > Chairs'
})

t.test(
  `events of an import of ${PRODUCTS.toLocaleString('en')} products bring a failing receiver to the exact state`,
  async (t) => {
    const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1', WEBHOOK_TIME_SCALE: '20000' })
    const state = new Map<string, Entry>()
    const seen = new Set<string>()
    let calls = 0
    const receiver = await openReceiver(t, ({ envelope, event, attempt }) => {
      // Half of the calls; but not one delivery so often in a row that its waits grow to hours, or
      // that it is given up as promised.
      if (calls++ % 2 === 0 && attempt < 6) return calls % 4 === 1 ? 503 : 'reset'
      // As a customer would: each event once, the newest sequence wins.
      if (event === 'products.optimized' && !seen.has(envelope.id)) {
        for (const entry of envelope.data.products as Entry[]) state.set(entry.external_id, entry)
      }
      seen.add(envelope.id)
      return 200
    })
    const owner = await person(app, 'acme')
    receiver.knows(
      (await owner('POST', '/api/webhooks', { url: receiver.url, events: ['products.optimized'] })).json().secret
    )
    const call = await client(app)

    const events = async () => {
      const found: { sequence: number; data: { products: Entry[] } }[] = []
      for (let after = 0; ; ) {
        const page = (await owner('GET', `/api/events?type=products.optimized&after=${after}`)).json()
        if (page.events.length === 0) return found
        found.push(...page.events)
        after = page.next
      }
    }
    const send = async (products: object[]) => {
      const body = products.map((one) => JSON.stringify(one)).join('\n')
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/products/imports?projectId=shop',
        headers: { 'x-api-key': call.key, 'content-type': 'application/x-ndjson' },
        payload: body
      })
      const where = String(answer.headers.location)
      await eventually(async () => (await call('GET', where)).json().status === 'done', 'the end of the import')
      await eventually(
        async () => (await call('GET', '/api/v1/products?status=pending&pageSize=1')).json().totalCount === 0,
        'the optimization'
      )
      await app.queue.idle()
      // Longer than an event that is not full waits for more.
      await new Promise((resolve) => {
        setTimeout(resolve, 6000)
      })
      await app.queue.idle()
      return (await call('GET', where)).json()
    }

    const all = Array.from({ length: PRODUCTS }, (_, i) => product(i))
    t.match(await send(all), { created: PRODUCTS, failed: 0 })
    const first = await events()
    // An event that is not full is published when the optimization pauses for longer than it waits,
    // as it may on a busy machine.
    t.ok(first.length >= PRODUCTS / 100 && first.length <= PRODUCTS / 20, `${first.length} events`)
    t.ok(first.every(({ data }) => data.products.length <= 100))
    t.equal(new Set(first.flatMap(({ data }) => data.products.map((one) => one.external_id))).size, PRODUCTS)
    t.same(Object.keys(first[0]!.data.products[0]!).sort(), SEVEN)
    t.same(
      first.flatMap((event) => app.fieldErrors(ProductsOptimizedEvent, event)),
      [],
      'shaped as the document says'
    )

    t.match(await send(all), { updated: PRODUCTS, unchanged: PRODUCTS })
    t.equal((await events()).length, first.length, 'the same again')

    t.match(await send(all.map((one, i) => (i === 77 ? { ...one, title: 'Garden bench' } : one))), {
      unchanged: PRODUCTS - 1
    })
    const last = await events()
    t.equal(last.length, first.length + 1, 'one change')
    t.match(last.at(-1)!.data.products, [{ external_id: 'p-77', page_title: 'Garden bench' }])
    await send([{ ...product(78), price: 123.45 }])
    t.equal((await events()).length, first.length + 1, 'a price changes no text')
    const { id } = (await call('GET', '/api/v1/products?externalId=p-79')).json().products[0]
    await call('PATCH', `/api/v1/products/${id}`, { seo: { metaTitle: 'My own title' } })

    await eventually(() => seen.size === first.length + 1, 'every event at the receiver')
    t.equal(state.size, PRODUCTS)
    let wrong = 0
    for (let page = 1; page <= PRODUCTS / 100; page++) {
      for (const { externalId, seo } of (await call('GET', `/api/v1/products?pageSize=100&page=${page}`)).json()
        .products) {
        const entry = state.get(externalId)!
        if (externalId !== 'p-79' && (entry.handle !== seo.handle.value || entry.meta_title !== seo.metaTitle.value)) {
          wrong++
        }
      }
    }
    t.equal(wrong, 0, 'the published products match the list')
    t.same(receiver.refused, [])
  }
)
