import { setPrice, cleanGtin, setAttribute, cellSetter, setIdentifier, parseUrls } from '../cells.ts'
import {
  unreadableRow,
  createDraft,
  toRow,
  withRaw,
  type Assembler,
  type CsvRecord,
  type Draft,
  type Row
} from '../row.ts'
import { columnIndexes, normalizeHeader, type Columns, replaceCells } from './columns.ts'

/**
 * Columns of product exports as they were until 2024 and as they are since
 * (help.shopify.com/manual/products/import-export/using-csv).
 */
const ROLES: Record<string, string> = {
  handle: 'handle',
  'url handle': 'handle',
  title: 'title',
  'body (html)': 'body',
  description: 'body',
  vendor: 'vendor',
  'product category': 'category',
  type: 'type',
  tags: 'tags',
  'variant sku': 'sku',
  sku: 'sku',
  'variant price': 'price',
  price: 'price',
  'variant barcode': 'barcode',
  barcode: 'barcode',
  'image src': 'image',
  'product image url': 'image',
  'variant image': 'variantImage',
  'variant image url': 'variantImage',
  'google shopping / mpn': 'mpn',
  'google shopping / manufacturer part number (mpn)': 'mpn'
}
const OPTION = /^option([123]) (name|value)$/
const MARKERS = ['variant price', 'variant sku', 'body (html)', 'option1 name', 'option1 value']

/** What the variants of a product have from its first row. */
const INHERITED = [
  'title',
  'body',
  'vendor',
  'category',
  'type',
  'tags',
  'option1 name',
  'option2 name',
  'option3 name'
]
/** A row without any of these brings only another picture of its product. */
const VARIANT_ROLES = ['title', 'option1 value', 'option2 value', 'option3 value', 'sku', 'price', 'barcode']

/**
 * Most rows of one handle, pictures included: Shopify allows 2,048 variants and 250 pictures. Those
 * beyond are as if their product had not been named.
 */
const MAX_ROWS = 3000
/** Most text of one handle, in characters; likewise. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/** The columns of a Shopify product export; null when it is none. */
export function shopifyColumns(headers: string[]): Columns | null {
  const names = headers.map(normalizeHeader)
  const known =
    names.includes('url handle') || (names.includes('handle') && MARKERS.some((name) => names.includes(name)))
  if (!known || !names.includes('title')) return null
  return names.map((name) => (OPTION.test(name) ? name : Object.hasOwn(ROLES, name) ? ROLES[name]! : null))
}

/** The places whose cells are all empty in a row that is no product. */
export function shopifyVariantColumns(columns: Columns): number[] {
  return VARIANT_ROLES.flatMap((role) => columnIndexes(columns).all(role))
}

/**
 * Rows of a Shopify export: each variant is a product, with what it lacks from the first row of its
 * handle that has a title, and all pictures of the handle.
 * The rows of a handle follow one another. A row that brings only a picture is no product. Drafts
 * and archived products are taken as they are.
 */
export function createShopifyAssembler(
  { columns, delimiter }: { columns: Columns; delimiter: string },
  give: (row: Row) => void
): Assembler {
  const { one } = columnIndexes(columns)
  const inherited = INHERITED.map(one).filter((place) => place !== -1)
  const cell = ({ cells }: CsvRecord, role: string) => cells[one(role)] ?? ''
  let group: CsvRecord[] = []
  let characters = 0
  /** The handle of the group; null while it has none but broken rows. */
  let handle: string | null = null

  /** A broken row stands wherever it is, so that it does not part its neighbors. */
  const joins = (record: CsvRecord) =>
    group.length > 0 &&
    group.length < MAX_ROWS &&
    characters < MAX_CHARACTERS &&
    (record.error !== null || (handle !== '' && handle === cell(record, 'handle')))

  function end(): void {
    const base = group.find((record) => record.error === null && cell(record, 'title') !== '') ?? null
    const images = [...new Set(group.filter(({ error }) => error === null).flatMap((record) => imagesOf(record)))]
    for (const record of group.filter(({ isRow }) => isRow)) {
      give(record.error === null ? variant(record, base, images) : unreadableRow(record, cell(record, 'sku')))
    }
    group = []
    characters = 0
    handle = null
  }

  function variant(record: CsvRecord, base: CsvRecord | null, images: string[]): Row {
    const filled = { ...record, cells: record.cells.slice() }
    for (const place of inherited) if (filled.cells[place] === '') filled.cells[place] = base?.cells[place] ?? ''
    const get = (role: string) => cell(filled, role)
    const draft = createDraft()
    setIdentifiers(draft, get)
    const put = (field: string, text: string) => {
      if (text !== '') cellSetter(field)(draft, text)
    }
    if (get('title') === '') {
      draft.errors.push({
        pointer: '/title',
        code: 'variant_without_product',
        message: 'lacks; the first row of the handle, which has the title, must come right before its other rows'
      })
    }
    put('title', get('title'))
    put('description', get('body'))
    put('brand', get('vendor'))
    put('category', get('category') || get('type'))
    put('tags', get('tags'))
    put('mpn', get('mpn'))
    if (get('barcode') !== '') setIdentifier(draft, 'gtin', cleanGtin(get('barcode')))
    if (get('price') !== '') setPrice(draft, get('price'))
    setOptions(draft, get)
    const first = get('variantImage') || images[0]
    if (first !== undefined) draft.value.imageUrl = first
    const others = images.filter((image) => image !== first)
    if (others.length > 0) draft.value.images = others
    return withRaw(toRow(record, draft), () => {
      const changed = new Map(
        inherited.map((place) => [place, filled.cells[place]!] as const).filter(([place]) => record.cells[place] === '')
      )
      if (images.length > 0) changed.set(one('image'), images.join(' | '))
      return changed.size === 0 ? record.raw : replaceCells(record.raw, delimiter, changed)
    })
  }

  const imagesOf = (record: CsvRecord) => (cell(record, 'image') === '' ? [] : parseUrls(cell(record, 'image')))

  return {
    canResumeAt: (record) => !joins(record),
    take(record) {
      if (!joins(record)) end()
      group.push(record)
      characters += record.raw.length
      if (record.error === null) handle = cell(record, 'handle')
    },
    end
  }
}

/**
 * What tells a variant from all others: its SKU, else the handle with the values of its options.
 */
function setIdentifiers(draft: Draft, get: (role: string) => string): void {
  const sku = get('sku').replace(/^'/, '')
  const values = options(get).map(({ value }) => value)
  if (sku === '') {
    const id = [get('handle'), ...values].join('/')
    if (get('handle') !== '') draft.value.externalId = id
    return
  }
  setIdentifier(draft, 'sku', sku)
  if (draft.value.sku !== undefined) draft.value.externalId = sku
}

function setOptions(draft: Draft, get: (role: string) => string): void {
  for (const { name, value } of options(get)) setAttribute(draft, name, value)
}

/** A product without options has one named Title of the value Default Title. */
function options(get: (role: string) => string): { name: string; value: string }[] {
  return ['1', '2', '3']
    .map((n) => ({ name: get(`option${n} name`) || `Option ${n}`, value: get(`option${n} value`) }))
    .filter(({ name, value }) => value !== '' && !(name === 'Title' && value === 'Default Title'))
}
