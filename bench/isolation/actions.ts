import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import type { Client } from './client.ts'
import type { Act } from './fixed-times.ts'
import { post, postBatch, postBlog } from './kinds/kind.ts'
import type { Neighbor } from './neighbor.ts'

/** Pause between two reads of the state of a job. */
const POLL_MS = 5
const PIXELS = 40
/** Blogs that are changed in turn, and products. */
const BLOGS = 10
const PRODUCTS = 100

/**
 * Creates what the single actions of the second account need, and returns them. Each one ends with its effect: the
 * webhook of a changed blog has arrived, the import of a row has ended, a new product has its texts, an image is
 * stored. All but the last one are jobs that follow a request.
 */
export async function prepareActions(client: Client): Promise<Neighbor> {
  const { sendOnly, fetchJson, optimized } = client
  const receiver = await startReceiver()
  await fetchJson({ ...post('/api/webhooks', { url: receiver.url, events: ['blog.updated'] }), asUser: true })
  const ids: string[] = []
  for (let index = 0; index < BLOGS; index++) {
    ids.push((await fetchJson<{ id: string }>(postBlog(`Post ${index}`, 'A short post.'))).id)
  }
  const row = (index: number) => ({ externalId: `single-${index}`, title: `Single mug ${index}` })
  await fetchJson(postBatch(Array.from({ length: PRODUCTS }, (_, index) => row(index))))
  const { products } = await fetchJson<{ products: { id: string }[] }>({
    method: 'GET',
    path: `/api/v1/products?pageSize=${PRODUCTS}`
  })
  if (products.length !== PRODUCTS) throw new Error(`${products.length} of ${PRODUCTS} products are listed`)
  await optimized()
  const raw = { width: PIXELS, height: PIXELS, channels: 3 } as const
  const image = await sharp(randomBytes(PIXELS * PIXELS * 3), { raw })
    .png()
    .toBuffer()

  /** Resolves when what is at the path has this status. */
  async function until(path: string, status: string): Promise<void> {
    while ((await fetchJson<{ status: string }>({ method: 'GET', path })).status !== status) await wait(POLL_MS)
  }

  // Not the index of the request: an action that was done before changes nothing, and has no effect to wait for.
  let count = 0
  const acts: Act[] = [
    {
      name: 'delivery',
      async send() {
        const index = count++
        const title = `Changed post ${index}`
        const arrived = receiver.arrivalOf(title)
        const path = `/api/v1/blogs/${ids[index % BLOGS]}`
        const status = await sendOnly({ method: 'PATCH', path, body: { title } })
        if (status === 200) await arrived
        return status
      }
    },
    {
      name: 'import',
      async send() {
        const index = count++
        const row = JSON.stringify({ externalId: `imported-${index}`, title: `Imported mug ${index}` })
        const path = '/api/v1/products/imports?projectId=shop'
        const { id } = await fetchJson<{ id: string }>(post(path, `${row}\n`, 'application/x-ndjson'))
        await until(`/api/v1/products/imports/${id}`, 'done')
        return 200
      }
    },
    {
      name: 'texts',
      async send() {
        const index = count++
        const path = `/api/v1/products/${products[index % PRODUCTS]!.id}`
        const description = `A mug of stoneware with number ${index} that holds a third of a liter, easy to clean.`
        const status = await sendOnly({ method: 'PATCH', path, body: { description } })
        if (status === 200) await until(path, 'optimized')
        return status
      }
    },
    {
      name: 'upload',
      async send() {
        const index = count++
        return await sendOnly({
          method: 'POST',
          path: `/api/v1/blogs/${ids[index % BLOGS]}/images?filename=image-${index}.png`,
          headers: { 'content-type': 'image/png' },
          // Other bytes behind the image, or it would be the existing one.
          body: Buffer.concat([image, Buffer.from(String(index))])
        })
      }
    }
  ]
  return { acts, close: receiver.close }
}

/** A receiver of webhooks in this process. `arrivalOf` resolves when the event of a blog with this title arrives. */
async function startReceiver() {
  const expected = new Map<string, () => void>()
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end()
    const { title } = (JSON.parse(Buffer.concat(chunks).toString()) as { data: { title: string } }).data
    expected.get(title)?.()
    expected.delete(title)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async arrivalOf(title: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      expected.set(title, resolve)
      await promise
    },
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}
