import t from 'tap'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'
import { sessionToken, temporaryFolder } from '../helper.ts'
import { small } from '../profile.ts'
import { SEED } from '../seed.ts'
import { startServer, createSvc } from '../processes.ts'

const PRICES = small ? 300 : 20_000
/** Products of a project, so that its last pages are not far. */
const PROJECT = Math.min(PRICES, 10_000)
const BATCH = 2500
/** Of so many rows of a CSV one has no title. */
const BROKEN_EVERY = 50
/** Longer than a slow machine takes. */
const LONGEST_MS = 250_000 + PRICES * 5

const EXTREMES = [
  '0',
  '0.0',
  '0.0000',
  '0.0001',
  '9999999999.9999',
  '9999999999',
  '9999999999.0000',
  '1234567890.1000',
  '0.1',
  '0.10',
  '1.005',
  '19.9900',
  '4503599627.3705',
  '100',
  '1000000000'
]

const digits = (random: () => number, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')

/**
 * The price of a product as text: 1 to 10 digits, and 0 to 4 decimals, of which every third ends in
 * zeros. It is never made a number here.
 */
function priceOf(i: number): string {
  const random = createSeededRandom(SEED + i)
  if (random() < 0.05) return EXTREMES[i % EXTREMES.length]!
  const whole = digits(random, 1 + Math.floor(random() * 10)).replace(/^0+(?=\d)/, '')
  const decimals = digits(random, Math.floor(random() * 5))
  const ended = random() < 0.3 ? decimals.replace(/.{1,2}$/, (end) => '0'.repeat(end.length)) : decimals
  return ended === '' ? whole : `${whole}.${ended}`
}

const idOf = (i: number) => `x-${String(i).padStart(7, '0')}`
const titleOf = (i: number) => `Bolt at ${priceOf(i)} no. ${i}`
const descriptionOf = (i: number) => `A bolt of steel; one is ${priceOf(i)} today.`
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

t.test(
  `${PRICES.toLocaleString('en')} prices are identical in the store, lists, CSV files and events`,
  { timeout: LONGEST_MS },
  async (t) => {
    const data = temporaryFolder(t)
    const key = (await createSvc(data)('keys', 'create', '--name', 'Stress', '--account', 'acme')).out.trim()
    await createSvc(data)('account', 'set-limits', 'acme', '--requests-per-hour', '10000000')
    const { url, err } = await startServer(t, data, { OUTBOUND_ALLOW: '127.0.0.1' })
    const call = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
    }
    const wrong: string[] = []
    const same = (i: number, where: string, [found, expected]: [string | undefined, string]) => {
      if (found !== expected && wrong.push(`${where} ${idOf(i)}: ${found} instead of ${expected}`) > 20) {
        throw new Error(wrong.join('\n'))
      }
    }

    const isPublished = new Uint8Array(PRICES)
    let [publishedCount, looked] = [0, 0]
    const looks: Promise<void>[] = []
    const receiver = await openReceiver(t, ({ envelope }) => {
      const products = envelope.data.products as { external_id: string; page_title: string; page_description: string }[]
      for (const { external_id: id, page_title: title, page_description: description } of products) {
        const i = Number(id.slice(2))
        same(i, 'published title', [title, titleOf(i)])
        same(i, 'published description', [description, descriptionOf(i)])
        if (isPublished[i] === 0) publishedCount++
        isPublished[i] = 1
      }
      // As a receiver would that wants the price too.
      const first = products[0]!.external_id
      looks.push(
        call(`/api/v1/products?projectId=${String(envelope.data.projectId)}&externalId=${first}`).then(({ text }) => {
          same(Number(first.slice(2)), 'looked up', [
            /"price":([^,]+),/.exec(text)?.[1],
            priceOf(Number(first.slice(2)))
          ])
          looked++
        })
      )
      receiver.received.length = 0
      return 200
    })
    const registered = await fetch(`${url}/api/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await sessionToken('acme')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['products.optimized'] })
    })
    receiver.knows(((await registered.json()) as { secret: string }).secret)

    /** Sends products as JSON whose text is made here. */
    async function sendBatch(projectId: string, of: number[]): Promise<void> {
      const rows = of.map(
        (i) =>
          `{"externalId":"${idOf(i)}","title":"${titleOf(i)}","description":"${descriptionOf(i)}","price":` +
          `${priceOf(i)}}`
      )
      const { status, text } = await call('/api/v1/products/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"projectId":"${projectId}","products":[${rows.join(',')}]}`
      })
      if (status !== 200 || !text.startsWith(`{"created":${of.length},`)) throw new Error(text.slice(0, 500))
    }

    /**
     * Compares every product of the project with what was sent; returns their prices as they are
     * listed.
     */
    async function list(projectId: string, of: number[]): Promise<Map<number, string>> {
      const listed = new Map<number, string>()
      for (let page = 1; page <= Math.ceil(of.length / 100); page++) {
        const { text } = await call(`/api/v1/products?projectId=${projectId}&pageSize=100&page=${page}`)
        for (const [, id = '', title = '', description = '', price = ''] of text.matchAll(
          /"externalId":"(x-\d+)","sku":null,"title":"([^"]*)","description":"([^"]*)","price":([^,]+),/g
        )) {
          const i = Number(id.slice(2))
          same(i, 'listed', [`${title} ${description} ${price}`, `${titleOf(i)} ${descriptionOf(i)} ${priceOf(i)}`])
          listed.set(i, price)
        }
      }
      if (listed.size !== of.length || !of.every((i) => listed.has(i))) {
        throw new Error(`${listed.size} of ${of.length} products of ${projectId} are listed`)
      }
      return listed
    }

    async function importCsv(
      projectId: string,
      csv: string
    ): Promise<{ where: string; created: number; unchanged: number; updated: number; failed: number }> {
      const { location, text } = await call(`/api/v1/products/imports?projectId=${projectId}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: csv
      })
      if (location === null) throw new Error(text)
      let record = JSON.parse(text)
      await eventually(
        async () => {
          record = JSON.parse((await call(location)).text)
          return record.status === 'done'
        },
        'the end of an import',
        LONGEST_MS
      )
      return { where: location, ...record }
    }

    for (let begin = 0; begin < PRICES; begin += PROJECT) {
      const projectId = `project-${begin / PROJECT}`
      const all = numbers(begin, Math.min(PROJECT, PRICES - begin))
      const byBatch = all.slice(0, all.length / 2)
      for (let from = 0; from < byBatch.length; from += BATCH) {
        await sendBatch(projectId, byBatch.slice(from, from + BATCH))
      }
      const listed = await list(projectId, byBatch)

      // What was listed goes out as CSV and comes in again, and the other half comes with it.
      const broken = all.filter((i) => i % BROKEN_EVERY === 7)
      const rows = all.map(
        (i) =>
          `${idOf(i)},${i % BROKEN_EVERY === 7 ? '' : titleOf(i)},${descriptionOf(i)},${listed.get(i) ?? priceOf(i)}`
      )
      const { where, ...counts } = await importCsv(
        projectId,
        `externalId,title,description,price\n${rows.join('\n')}\n`
      )
      const known = byBatch.filter((i) => i % BROKEN_EVERY !== 7).length
      const expected = {
        created: all.length - broken.length - known,
        updated: known,
        unchanged: known,
        failed: broken.length
      }
      for (const [name, count] of Object.entries(expected)) {
        if (counts[name as keyof typeof counts] !== count) {
          throw new Error(`${name} of ${projectId}: ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`)
        }
      }

      const [head, ...failed] = (await call(`${where}/errors`)).text.trimEnd().split('\n')
      if (failed.length !== broken.length) throw new Error(`${failed.length} of ${broken.length} failed rows came back`)
      for (const [n, line] of failed.entries()) {
        same(broken[n]!, 'failed row', [
          line.slice(line.indexOf('",') + 2),
          `${idOf(broken[n]!)},,${descriptionOf(broken[n]!)},${priceOf(broken[n]!)}`
        ])
      }
      const again = await importCsv(
        projectId,
        `${[head, ...failed.map((line, n) => line.replace(',,', `,${titleOf(broken[n]!)},`))].join('\n')}\n`
      )
      if (again.failed !== 0) throw new Error('The corrected rows failed again')
      await list(projectId, all)
      if (PRICES > 100_000) {
        process.stderr.write(
          `${begin + all.length} prices, ${publishedCount} published, ${(performance.now() / 1000).toFixed(0)} s\n`
        )
      }
    }
    t.same(wrong, [], `${PRICES} prices are as they were sent`)

    await eventually(() => publishedCount === PRICES, 'every product is published', LONGEST_MS)
    await Promise.all(looks)
    t.same(wrong, [], 'published texts contain the prices unchanged')
    t.ok(looked >= PRICES / 100, `${looked} prices were looked up by the receiver`)
    t.same(receiver.refused, [])
    t.equal(err(), '')
    t.comment(`seed ${SEED}`)
  }
)
