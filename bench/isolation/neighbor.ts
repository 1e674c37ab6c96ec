import { mapConcurrently } from '../../lib/async.ts'
import { createPost, createProduct, slugOf } from '../growth/content.ts'
import type { Client } from './client.ts'
import type { Act } from './fixed-times.ts'

const BLOGS = 200
const PRODUCTS = 500
const PAGE_SIZE = 20
const AT_ONCE = 8
/** Whether new blogs are published, which is more work, and changes the responses to all reads of blogs. */
const STATUS = process.env.PUBLISHED === 'on' ? 'published' : 'draft'

/** What the second account does, and what frees what that needs. */
export interface Neighbor {
  acts: Act[]
  close: () => void
}

/**
 * Creates the content of the second account, 200 blogs and 500 products, and returns its requests. Those of the same
 * kind differ by their index.
 */
export async function prepareNeighbor({ sendOnly, fetchJson, optimized }: Client): Promise<Neighbor> {
  const indexes = Array.from({ length: BLOGS }, (_, index) => index)
  await mapConcurrently(indexes, AT_ONCE, async (index) => {
    await fetchJson({ method: 'POST', path: '/api/v1/blogs', body: createPost(index, 'site') })
  })
  const products = Array.from({ length: PRODUCTS }, (_, index) => createProduct(index))
  await fetchJson({ method: 'POST', path: '/api/v1/products/batch', body: { projectId: 'shop', products } })
  const ids: string[] = []
  for (let page = 1; ids.length < PRODUCTS; page++) {
    const path = `/api/v1/products?pageSize=100&page=${page}`
    const list = await fetchJson<{ products: { id: string }[] }>({ method: 'GET', path })
    if (list.products.length === 0) throw new Error(`Only ${ids.length} products are listed`)
    ids.push(...list.products.map(({ id }) => id))
  }
  await optimized()

  const read = async (path: string): Promise<number> => await sendOnly({ method: 'GET', path })
  const acts: Act[] = [
    { name: 'by slug', send: async (index) => await read(`/api/v1/blogs/${slugOf(index % BLOGS)}`) },
    {
      name: 'list',
      send: async (index) => await read(`/api/v1/blogs?page=${1 + (index % (BLOGS / PAGE_SIZE))}&pageSize=${PAGE_SIZE}`)
    },
    {
      name: 'new blog',
      async send(index) {
        const title = `Short post ${index}`
        const body = { projectId: 'site', status: STATUS, title, markdown: 'A short post.' }
        return await sendOnly({ method: 'POST', path: '/api/v1/blogs', body })
      }
    },
    {
      name: 'changed product',
      async send(index) {
        const body = { title: `Changed product ${index}` }
        return await sendOnly({ method: 'PATCH', path: `/api/v1/products/${ids[index % PRODUCTS]}`, body })
      }
    },
    { name: 'search', send: async (index) => await read(`/api/v1/products?q=word${index % PRODUCTS}`) }
  ]
  return { acts, close() {} }
}
