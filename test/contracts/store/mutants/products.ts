import type {
  ImportErrorRecord,
  ImportStore,
  ProductRecord,
  ProductStore,
  ProductWrite,
  SaveOutcome,
  Store
} from '../../../../ports/store/port.ts'
import { mutant as createMutant, pause, type Mutant } from './mutant.ts'

const mutant = (title: string, broken: (products: ProductStore, store: Store) => Partial<ProductStore>): Mutant =>
  createMutant(title, 'products', broken)
const breakingImports = (title: string, broken: (imports: ImportStore, store: Store) => Partial<ImportStore>): Mutant =>
  createMutant(title, 'imports', broken)
const PAGE = { page: 1, pageSize: 1000 }
const EMPTY: Partial<ProductRecord> = { sku: null, price: null, terms: [] }

/** Writes as they come, each changed by this. */
const altering =
  (alter: (write: ProductWrite) => Promise<ProductWrite> | ProductWrite) =>
  (products: ProductStore): Partial<ProductStore> => ({
    saveMany: async (writes) => await products.saveMany(await Promise.all(writes.map(alter)))
  })
const alteringProduct = (alter: (product: ProductRecord) => Partial<ProductRecord>) =>
  altering(({ product, ifVersion }) => ({ product: { ...product, ...alter(product) }, ifVersion }))
/** Lists by another filter. */
const listing =
  (alter: (filter: Parameters<ProductStore['list']>[0]) => Partial<Parameters<ProductStore['list']>[0]>) =>
  (products: ProductStore): Partial<ProductStore> => ({
    list: async (filter, page) => await products.list({ ...filter, ...alter(filter) }, page)
  })
/** Lists everything that another filter finds, and keeps what passes. */
const sifting =
  (alter: object, passes: (product: ProductRecord, filter: Parameters<ProductStore['list']>[0]) => boolean) =>
  (products: ProductStore): Partial<ProductStore> => ({
    list: async (filter, { page, pageSize }) => {
      const found = (await products.list({ ...filter, ...alter }, PAGE)).products.filter((product) =>
        passes(product, filter)
      )
      return { products: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length }
    }
  })
const stored = async (products: ProductStore, { accountId, id }: ProductRecord) => await products.find(accountId, id)

const saveMutants: Mutant[] = [
  mutant(
    'prices are stored as numbers',
    alteringProduct(({ price }) => ({ price: price === null ? null : String(Number(price)) }))
  ),
  mutant(
    'a product loses its source digest',
    alteringProduct(() => ({ imageCheck: null }))
  ),
  mutant(
    'empty fields are not stored',
    altering(({ product, ifVersion }) => ({
      product: product.sku === null ? { ...product, ...EMPTY, brand: 'unknown' } : product,
      ifVersion
    }))
  ),
  mutant(
    'externalIds are compared case-insensitively',
    alteringProduct(({ externalId }) => ({ externalId: externalId.toLowerCase() }))
  ),
  mutant('externalIds end at a zero byte', (products) => ({
    findByExternalIds: async (place, externalIds) =>
      await products.findByExternalIds(
        place,
        externalIds.map((id) => id.split('\u0000')[0] as string)
      )
  })),
  mutant('a new product replaces an existing one', (products) => ({
    saveMany: async (writes) => {
      const all: SaveOutcome[] = []
      for (const { product, ifVersion } of writes) {
        const [there] = ifVersion === null ? await products.findByExternalIds(product, [product.externalId]) : []
        all.push(
          ...(await products.saveMany([
            there === undefined
              ? { product, ifVersion }
              : { product: { ...product, id: there.id }, ifVersion: there.version }
          ]))
        )
      }
      return all
    }
  })),
  mutant('save ignores the version', (products) => ({
    saveMany: async (writes) =>
      await products.saveMany(
        await Promise.all(
          writes.map(async (write) => ({
            ...write,
            ifVersion: write.ifVersion === null ? null : ((await stored(products, write.product))?.version ?? 0)
          }))
        )
      )
  })),
  mutant(
    'claims are not stored',
    alteringProduct(() => ({ claims: [] }))
  ),
  mutant(
    'claims are unique within the account',
    altering(({ product, ifVersion }) => ({ product: { ...product, projectId: 'site' }, ifVersion }))
  ),
  mutant('a taken claim rejects all other products', (products) => ({
    saveMany: async (writes) => {
      const all = await Promise.all(writes.map(({ product }) => products.findClaimOwners(product, product.claims)))
      const taken = all.some((claimed, at) => claimed.some(({ productId }) => productId !== writes[at]?.product.id))
      return taken ? writes.map(() => 'taken') : await products.saveMany(writes)
    }
  })),
  mutant('dropped claims are not released', (products) => ({
    saveMany: async (writes) =>
      await products.saveMany(
        await Promise.all(
          writes.map(async ({ product, ifVersion }) => {
            const before = ifVersion === null ? null : await stored(products, product)
            return {
              product: { ...product, claims: [...new Set([...(before?.claims ?? []), ...product.claims])] },
              ifVersion
            }
          })
        )
      )
  })),
  mutant('a product with a taken claim is saved', (products) => ({
    saveMany: async (writes) => {
      const outcomes = await products.saveMany(writes)
      for (const [at, { product, ifVersion }] of writes.entries()) {
        if (outcomes[at] === 'taken') await products.saveMany([{ product: { ...product, claims: [] }, ifVersion }])
      }
      return outcomes
    }
  })),
  mutant('saveMany reads and writes in separate steps', (products) => ({
    saveMany: async (writes) => {
      const there = await Promise.all(
        writes.map(async ({ product }) => await products.findByExternalIds(product, [product.externalId]))
      )
      await pause()
      const outcomes = await products.saveMany(writes)
      return outcomes.map((outcome, at) =>
        outcome === 'conflict' && writes[at]?.ifVersion === null && there[at]?.length === 0 ? 'saved' : outcome
      )
    }
  })),
  mutant('outcomes are returned in another order', (products) => ({
    saveMany: async (writes) => (await products.saveMany(writes.toReversed())).toSorted()
  })),
  mutant('saveAll saves a part of the products', (products) => ({
    saveAll: async (writes) => (await products.saveMany(writes)).every((outcome) => outcome === 'saved')
  })),
  mutant('delete ignores the version', (products) => ({
    delete: async ({ accountId, id }) =>
      await products.delete({ accountId, id, ifVersion: (await products.find(accountId, id))?.version ?? 0 })
  })),
  mutant('delete only hides the product', (products) => ({
    delete: async ({ accountId, id, ifVersion }) => {
      const product = await products.find(accountId, id)
      if (product?.version !== ifVersion) return false
      await products.saveMany([{ product: { ...product, version: 99, terms: [] }, ifVersion }])
      return true
    }
  })),
  mutant('titles are compared case-insensitively', (products) => ({
    findByTitles: async (place, titles) => {
      const { products: all } = await products.list({ ...place, projectIds: null }, PAGE)
      const wanted = new Set(titles.map((title) => title.toLowerCase()))
      return all
        .filter(({ title }) => wanted.has(title.toLowerCase()))
        .map(({ id, title, sku, attributes }) => ({ id, title, sku, attributes }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, 21)
    }
  })),
  mutant('findByTitles has no limit', (products) => ({
    findByTitles: async (place, titles) => {
      const { products: all } = await products.list({ ...place, projectIds: null }, PAGE)
      return all
        .filter(({ title }) => titles.includes(title))
        .map(({ id, title, sku, attributes }) => ({ id, title, sku, attributes }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    }
  })),
  mutant('claimed returns claims of all projects', (products) => ({
    findClaimOwners: async (place, claims) =>
      (
        await Promise.all(
          ['site', 'shop'].map((projectId) => products.findClaimOwners({ ...place, projectId }, claims))
        )
      ).flat()
  })),
  mutant('findGroupLeaders returns the latest product', (products) => ({
    findGroupLeaders: async (place, groupIds) => {
      const { products: all } = await products.list({ ...place, projectIds: null }, PAGE)
      return [...new Set(groupIds)].flatMap(
        (groupId) =>
          all
            .filter((product) => product.groupId === groupId)
            .toSorted((a, b) => (a.id < b.id ? 1 : -1))
            .at(0) ?? []
      )
    }
  })),
  mutant('listGroup ignores the position', (products) => ({
    listGroup: async (place, groupId, { limit }) => await products.listGroup(place, groupId, { afterId: null, limit })
  })),
  mutant('markOptimizePending ignores the groups', (products) => ({
    markOptimizePending: async (place, { groupIds: _, ...mark }) => await products.markOptimizePending(place, mark)
  })),
  mutant('existsInProject ignores the project', (products) => ({
    existsInProject: async ({ accountId }) =>
      (await products.list({ accountId, projectIds: null }, PAGE)).totalCount > 0
  }))
]

const listMutants: Mutant[] = [
  mutant('products behind a position include its own', (products) => ({
    listAfter: async (place, { after, limit }) => {
      const own = after === null ? [] : await products.findByExternalIds(place, [after])
      return [...own, ...(await products.listAfter(place, { after, limit }))].slice(0, limit)
    }
  })),
  mutant('products behind a position are those of all projects', (products) => ({
    listAfter: async ({ accountId }, { after, limit }) =>
      (await products.list({ accountId, projectIds: null }, PAGE)).products
        .filter(({ externalId }) => after === null || externalId > after)
        .slice(0, limit)
  })),
  mutant('products are listed by UTF-16 units', (products) => ({
    list: async (filter, page) => {
      const { products: found, totalCount } = await products.list(filter, page)
      return { products: found.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1)), totalCount }
    }
  })),
  mutant('the page size is returned as the total', (products) => ({
    list: async (filter, page) => {
      const { products: found } = await products.list(filter, page)
      return { products: found, totalCount: found.length }
    }
  })),
  mutant(
    'list ignores the projects of the scope',
    listing(() => ({ projectIds: null }))
  ),
  ...(
    ['status', 'sku', 'externalId', 'groupId', 'handle', 'quality', 'updatedSince', 'category', 'terms'] as const
  ).map((name) =>
    mutant(`list forgets ${name}`, (products) => ({
      list: async ({ [name]: _, ...filter }, page) => await products.list(filter, page)
    }))
  ),
  mutant(
    'updatedSince excludes its start',
    sifting({}, ({ updatedAt }, { updatedSince }) => updatedSince === undefined || updatedAt > updatedSince)
  ),
  mutant('a category matches by prefix', (products) => ({
    list: async ({ category, ...filter }, page) => {
      const found = (await products.list(filter, PAGE)).products.filter(
        (product) => category === undefined || product.category?.startsWith(category) === true
      )
      return {
        products: found.slice((page.page - 1) * page.pageSize, page.page * page.pageSize),
        totalCount: found.length
      }
    }
  })),
  mutant(
    'a category excludes its subcategories',
    sifting({}, ({ category }, filter) => filter.category === undefined || category === filter.category)
  ),
  mutant(
    'a search matches any word instead of all',
    listing(({ terms }) => (terms === undefined ? {} : { terms: terms.slice(-1) }))
  ),
  mutant(
    'a search does not match the last word as a prefix',
    listing(({ terms }) => (terms === undefined ? {} : { terms: [...terms, ''] }))
  ),
  mutant('search words are not updated', (products) => ({
    saveMany: async (writes) =>
      await products.saveMany(
        await Promise.all(
          writes.map(async ({ product, ifVersion }) => ({
            product: { ...product, terms: (await stored(products, product))?.terms ?? product.terms },
            ifVersion
          }))
        )
      )
  })),
  mutant('the category of a list is not updated', (products) => {
    const first = new Map<string, string | null>()
    return {
      saveMany: async (writes) => {
        for (const { product } of writes) if (!first.has(product.id)) first.set(product.id, product.category)
        return await products.saveMany(writes)
      },
      list: async ({ category, ...filter }, page) => {
        if (category === undefined) return await products.list(filter, page)
        const found = (await products.list(filter, PAGE)).products.filter(({ id }) =>
          `${first.get(id)} > `.startsWith(`${category} > `)
        )
        return { products: found.slice(0, page.pageSize), totalCount: found.length }
      }
    }
  })
]

const workMutants: Mutant[] = [
  mutant('pending lists the latest first', (products) => ({
    pending: async (place, work, limit) => (await products.pending(place, work, 1000)).reverse().slice(0, limit)
  })),
  mutant('pending sorts by externalId', (products) => ({
    pending: async (place, work, limit) =>
      (await products.pending(place, work, 1000)).sort((a, b) => (a.externalId < b.externalId ? -1 : 1)).slice(0, limit)
  })),
  mutant('pending mixes up the kinds of work', (products) => ({
    pending: async (place, _work, limit) => await products.pending(place, 'optimize', limit)
  })),
  mutant('pending returns more than a megabyte', (products) => ({
    pending: async (place, work, limit) => {
      const since = ({ optimizePendingSince, imageCheckPendingSince }: ProductRecord) =>
        work === 'optimize' ? optimizePendingSince : imageCheckPendingSince
      const { products: all } = await products.list({ ...place, projectIds: null }, PAGE)
      return all
        .filter((product) => since(product) !== null)
        .sort((a, b) => (`${since(a)} ${a.id}` < `${since(b)} ${b.id}` ? -1 : 1))
        .slice(0, limit)
    }
  })),
  mutant('pending ignores the limit', (products) => ({
    pending: async (place, work) => await products.pending(place, work, 1000)
  })),
  mutant('pendingProjects lists a project once for each product', (products) => ({
    pendingProjects: async (work, page) => {
      const { items, next } = await products.pendingProjects(work, page)
      const places = await Promise.all(
        items.map(async (place) => (await products.pending(place, work, 1000)).map(() => place))
      )
      return { items: places.flat(), next }
    }
  })),
  mutant('pendingProjects ignores the limit', (products) => ({
    pendingProjects: async (work, page) => await products.pendingProjects(work, { ...page, limit: 1000 })
  })),
  mutant('pendingProjects ends after the first page', (products) => ({
    pendingProjects: async (work, page) => ({ ...(await products.pendingProjects(work, page)), next: null })
  })),
  mutant('pendingProjects lists projects with other pending work', (products) => ({
    pendingProjects: async (work, page) =>
      await products.pendingProjects(work === 'publish' ? 'imageCheck' : work, page)
  })),
  mutant('hasPending ignores the project', (products) => ({
    hasPending: async (_place, work) =>
      (await products.pendingProjects(work, { after: null, limit: 1 })).items.length > 0
  })),
  mutant('hasPending ignores the work', (products) => ({
    hasPending: async (place) => (await products.list({ ...place, projectIds: null }, PAGE)).totalCount > 0
  })),
  mutant('markOptimizePending does not change the version', (products) => ({
    markOptimizePending: async (place, mark) => {
      const { products: before } = await products.list({ ...place, projectIds: null }, PAGE)
      const count = await products.markOptimizePending(place, mark)
      const after = await products.findByExternalIds(
        place,
        before.map(({ externalId }) => externalId)
      )
      for (const product of after) {
        await products.delete({ accountId: place.accountId, id: product.id, ifVersion: product.version })
        await products.saveMany([
          {
            product: { ...product, version: before.find(({ id }) => id === product.id)?.version ?? 0 },
            ifVersion: null
          }
        ])
      }
      return count
    }
  })),
  mutant('markOptimizePending resets the time of pending products', (products) => ({
    markOptimizePending: async (place, mark) => {
      const count = await products.markOptimizePending(place, mark)
      const due = await products.pending(place, 'optimize', 1000)
      await products.saveMany(
        due
          .filter(({ optimizePendingSince }) => optimizePendingSince !== mark.at)
          .map((product) => ({
            product: { ...product, optimizePendingSince: mark.at, version: product.version + 1 },
            ifVersion: product.version
          }))
      )
      return count
    }
  })),
  mutant('markOptimizePending does not count pending products', (products) => ({
    markOptimizePending: async (place, mark) => {
      const pendingBefore = (await products.pending(place, 'optimize', 1000)).length
      return (await products.markOptimizePending(place, mark)) - pendingBefore
    }
  })),
  mutant('markOptimizePending ignores force', (products) => ({
    markOptimizePending: async (place, mark) => await products.markOptimizePending(place, { ...mark, force: false })
  })),
  mutant('markOptimizePending always applies force', (products) => ({
    markOptimizePending: async (place, mark) => await products.markOptimizePending(place, { ...mark, force: true })
  })),
  mutant('markOptimizePending marks the whole project', (products) => ({
    markOptimizePending: async (place, mark) =>
      await products.markOptimizePending(place, { ...mark, externalIds: null })
  })),
  mutant('markOptimizePending changes updatedAt', (products) => ({
    markOptimizePending: async (place, mark) => {
      const count = await products.markOptimizePending(place, mark)
      const due = await products.pending(place, 'optimize', 1000)
      for (const product of due) {
        await products.delete({ accountId: place.accountId, id: product.id, ifVersion: product.version })
        await products.saveMany([{ product: { ...product, updatedAt: mark.at }, ifVersion: null }])
      }
      return count
    }
  })),
  mutant('pendingEvents reports more whenever the page is full', (products) => ({
    pendingEvents: async (place, limit) => {
      const { products: found } = await products.pendingEvents(place, limit)
      return { products: found, hasMore: found.length === limit }
    }
  })),
  mutant('pendingEvents reports more only if the page is full', (products) => ({
    pendingEvents: async (place, limit) => {
      const { products: found, hasMore } = await products.pendingEvents(place, limit)
      return { products: found, hasMore: hasMore && found.length === limit }
    }
  })),
  mutant('pendingEvents sorts by externalId', (products) => ({
    pendingEvents: async (place, limit) => {
      const all = await products.pendingEvents(place, 1000)
      return {
        ...all,
        products: all.products
          .sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
          .slice(0, limit)
          .reverse()
      }
    }
  }))
]

const importMutants: Mutant[] = [
  breakingImports('an import loses its mapping', (imports) => ({
    add: async (record) => await imports.add({ ...record, mapping: null })
  })),
  breakingImports('imports are listed oldest first', (imports) => ({
    list: async (filter, page) => {
      const { imports: found, totalCount } = await imports.list(filter, page)
      return { imports: found.reverse(), totalCount }
    }
  })),
  breakingImports('imports are listed for all projects', (imports) => ({
    list: async (filter, page) => await imports.list({ ...filter, projectIds: null }, page)
  })),
  breakingImports('advance ignores the current row', (imports) => ({
    advance: async (step) =>
      await imports.advance({ ...step, fromByte: (await imports.find(step.accountId, step.id))?.nextByte ?? 0 })
  })),
  breakingImports('advance continues a finished import', (imports) => ({
    advance: async (step) => {
      const record = await imports.find(step.accountId, step.id)
      if (record === null || !['done', 'failed', 'cancelled'].includes(record.status)) {
        return await imports.advance(step)
      }
      await imports.delete(step.accountId, step.id)
      await imports.add({ ...record, ...step.change })
      return await imports.find(step.accountId, step.id)
    }
  })),
  breakingImports('advance always adds its events', (imports, store) => ({
    advance: async ({ events, ...step }) => {
      await store.events.add(events)
      return await imports.advance({ ...step, events: [] })
    }
  })),
  breakingImports('advance loses its events', (imports) => ({
    advance: async (step) => await imports.advance({ ...step, events: [] })
  })),
  breakingImports('advance loses its errors', (imports) => ({
    advance: async (step) => await imports.advance({ ...step, errors: [] })
  })),
  breakingImports('errors are listed last line first', (imports) => ({
    errors: async (id, page) => (await imports.errors(id, page)).reverse()
  })),
  breakingImports('errors ignore the page key', (imports) => ({
    errors: async (id, { limit }) => await imports.errors(id, { afterLine: 0, limit })
  })),
  breakingImports('a page of errors has any size', (imports) => ({
    errors: async (id, { afterLine, limit }) => {
      const errors: ImportErrorRecord[] = []
      for (let last = afterLine; errors.length < limit; last = errors.at(-1)!.line) {
        const page = await imports.errors(id, { afterLine: last, limit: limit - errors.length })
        if (page.length === 0) break
        errors.push(...page)
      }
      return errors
    }
  })),
  breakingImports('the number of errors is limited', (imports) => ({
    errors: async (id, page) =>
      (await imports.errors(id, page)).map((error) => ({ ...error, row: error.row.slice(0, 1000) }))
  })),
  breakingImports('requestCancel stores nothing', (imports) => ({
    requestCancel: async (accountId, id) => {
      const record = await imports.find(accountId, id)
      return record === null ? null : { ...record, cancelRequested: true }
    }
  })),
  breakingImports('unfinished lists the newest first', (imports) => ({
    unfinished: async (page) => {
      const { items, next } = await imports.unfinished(page)
      return { items: items.toReversed(), next }
    }
  })),
  breakingImports('finishedBefore includes its end', (imports) => ({
    finishedBefore: async (time, limit) => await imports.finishedBefore(`${time}~`, limit)
  })),
  breakingImports('finishedBefore lists the latest first', (imports) => ({
    finishedBefore: async (time, limit) => (await imports.finishedBefore(time, limit)).reverse()
  })),
  breakingImports('delete does not delete the errors', (imports) => {
    const cached = new Map<string, Awaited<ReturnType<ImportStore['errors']>>>()
    return {
      delete: async (accountId, id) => {
        if (!cached.has(id)) cached.set(id, await imports.errors(id, { afterLine: 0, limit: 1000 }))
        await imports.delete(accountId, id)
      },
      errors: async (id, page) => cached.get(id) ?? (await imports.errors(id, page))
    }
  }),
  breakingImports('delete ignores the account', (imports) => ({
    delete: async (accountId, id) => {
      for (const account of [accountId, 'acme']) await imports.delete(account, id)
    }
  }))
]

export const PRODUCT_MUTANTS: readonly Mutant[] = [...saveMutants, ...listMutants, ...workMutants, ...importMutants]
