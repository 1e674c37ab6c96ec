import type { Files } from '../ports/files/port.ts'
import type { BlogRecord, ImageRecord, ProductRecord, Store } from '../ports/store/port.ts'
import { originalKey } from './images/image-keys.ts'

/** A line of the export. */
export type ExportLine =
  | { type: 'account' | 'project' | 'key' | 'blog' | 'image' | 'product' | 'webhook', record: object }
  | { type: 'file', key: string, base64: string }

const PAGE = 100

/** Everything that the store and the files hold and nothing else can make again, account by account. Keys are exported as they are stored: without their values; the secrets of webhooks encrypted, to be read with SECRETS_KEY alone. */
export function createExport ({ store, files }: { store: Store, files: Files }) {
  async function * blogsOf (accountId: string): AsyncGenerator<BlogRecord> {
    for (let page = 1; ; page++) {
      const { blogs } = await store.blogs.list({ accountId, projectIds: null, status: 'any' }, { page, pageSize: PAGE, withBody: true })
      yield * blogs as BlogRecord[]
      if (blogs.length < PAGE) return
    }
  }

  async function * productsOf (accountId: string): AsyncGenerator<ProductRecord> {
    for (let page = 1; ; page++) {
      const { products } = await store.products.list({ accountId, projectIds: null }, { page, pageSize: PAGE })
      yield * products
      if (products.length < PAGE) return
    }
  }

  async function * imageLines (image: ImageRecord): AsyncGenerator<ExportLine> {
    yield { type: 'image', record: image }
    const key = originalKey(image.blogId, image.filename)
    const bytes = await files.read(key)
    if (bytes !== null) yield { type: 'file', key, base64: bytes.toString('base64') }
  }

  async function * accountLines (accountId: string): AsyncGenerator<ExportLine> {
    for (const record of await store.projects.list(accountId)) yield { type: 'project', record }
    for (const record of await store.keys.list(accountId)) yield { type: 'key', record }
    for await (const record of blogsOf(accountId)) {
      yield { type: 'blog', record }
      for (const image of await store.images.list(accountId, record.id)) yield * imageLines(image)
    }
    for await (const record of productsOf(accountId)) yield { type: 'product', record }
    for (const record of await store.webhooks.list(accountId)) yield { type: 'webhook', record }
  }

  return {
    async * lines (): AsyncGenerator<ExportLine> {
      let afterId: string | null = null
      while (true) {
        const accounts = await store.accounts.list({ afterId, limit: PAGE })
        for (const record of accounts) {
          yield { type: 'account', record }
          yield * accountLines(record.id)
        }
        if (accounts.length < PAGE) return
        afterId = accounts.at(-1)!.id
      }
    }
  }
}
