import type { Client } from '../client.ts'
import { fill, MAX_BYTES, post, postBatch, times, type Kind, type Setup } from './kind.ts'

/** Products of a batch that creates the content of an account. */
const BATCH = 2_000
const PAGE_SIZE = 100
/** Products of an attack whose sentences have many clauses. */
const SENTENCES = 240
const CLAUSES = 560
/** Products with a table row that fit into 1 MB. */
const ROWS = 20
const CELLS = 12_000
/** Products of an ordinary batch, how many there are in all, and sentences of their descriptions. */
const LISTED = 500
const MAX_LISTED = 20_000
const SENTENCES_EACH = 48
const VARIANTS = 20_000
const GROUP = 5_000

const wordOf = (random: () => number): string => Math.floor(random() * 36 ** 6).toString(36)

/** Creates the variants of one product, and returns their ids. */
async function createGroup({ client, scale }: Setup, variants: number): Promise<string[]> {
  const count = Math.ceil(variants * scale)
  for (let first = 0; first < count; first += BATCH) {
    const products = times(Math.min(BATCH, count - first), (index) => ({
      externalId: `variant-${first + index}`,
      title: `Mug ${first + index}`,
      description: 'A mug of stoneware that holds a third of a liter and is easy to clean by hand.',
      groupId: 'mug'
    }))
    await client.fetchJson(postBatch(products))
  }
  await client.optimized()
  return await listIds(client, count)
}

async function listIds(client: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= Math.ceil(count / PAGE_SIZE); page++) {
    const path = `/api/v1/products?pageSize=${PAGE_SIZE}&page=${page}`
    const { products } = await client.fetchJson<{ products: { id: string }[] }>({ method: 'GET', path })
    ids.push(...products.map(({ id }) => id))
  }
  if (ids.length !== count) throw new Error(`${ids.length} of ${count} products are listed`)
  return ids
}

const importOf = (body: string, type: string) => post('/api/v1/products/imports?projectId=shop', body, type)

/** Kinds of requests about products, by name. */
export const PRODUCT_KINDS: Record<string, Kind> = {
  clauses: {
    title: 'batches of 240 products with a sentence of 560 clauses',
    prepare() {
      const clauses = times(CLAUSES, (clause) => `oak${clause.toString(36)}`).join(', ')
      return (batch) =>
        postBatch(
          times(SENTENCES, (index) => ({
            externalId: `clauses-${batch}-${index}`,
            title: `Chair ${batch} ${index}`,
            description: `Chair ${batch} ${index} is ${clauses}.`
          }))
        )
    }
  },
  cells: {
    title: 'batches of 20 products whose description is a table row of 12,000 cells',
    prepare: () => (batch) =>
      postBatch(
        times(ROWS, (index) => ({
          externalId: `cells-${batch}-${index}`,
          title: `Table ${batch} ${index}`,
          description: `<table><tr>${fill('<td>', 4 * CELLS)}`
        }))
      )
  },
  batches: {
    title: 'batches of 500 products with a description of 1.8 KB',
    prepare:
      ({ random }) =>
      (batch) =>
        postBatch(
          times(LISTED, (index) => ({
            externalId: `batch-${(batch * LISTED + index) % MAX_LISTED}`,
            title: `Mug ${batch} ${index}`,
            description: times(
              SENTENCES_EACH,
              (sentence) => `Part ${sentence} is ${wordOf(random)} and ${wordOf(random)}.`
            ).join(' ')
          }))
        )
  },
  'deleted-variants': {
    title: 'deletion of variants of one product with 20,000 variants',
    async prepare(setup) {
      const ids = await createGroup(setup, VARIANTS)
      return (index) => ({ method: 'DELETE', path: `/api/v1/products/${ids[index % ids.length]}` })
    }
  },
  'left-groups': {
    title: 'products that leave a group of 5,000, and join it again',
    async prepare(setup) {
      const ids = await createGroup(setup, GROUP)
      return (index) => ({
        method: 'PATCH',
        path: `/api/v1/products/${ids[index % ids.length]}`,
        body: { groupId: Math.floor(index / ids.length) % 2 === 0 ? null : 'mug' }
      })
    }
  },
  'ndjson-imports': {
    title: 'NDJSON files of 333,000 invalid rows',
    prepare() {
      const body = fill('{}\n', MAX_BYTES - 1)
      return () => importOf(body, 'application/x-ndjson')
    }
  },
  'csv-imports': {
    title: 'CSV files of 160,000 invalid rows',
    prepare() {
      const body = `externalId,title\n${fill(',abcd\n', 960_000)}`
      return () => importOf(body, 'text/csv')
    }
  }
}
