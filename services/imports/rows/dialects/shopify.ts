import { MAX_PRODUCT_IMAGES } from '../../../../schemas/product.ts'
import { setSeo, setPrice, cleanGtin, setAttribute, cellSetter, setIdentifier, parseUrls, parseList } from '../cells.ts'
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
 * Columns of product exports, in the format until 2024 and in the current format
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
  'seo title': 'seoTitle',
  'seo description': 'seoDescription',
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

/** Fields that variants inherit from the first row of their product. */
const INHERITED = [
  'title',
  'body',
  'vendor',
  'category',
  'type',
  'tags',
  'seoTitle',
  'seoDescription',
  'option1 name',
  'option2 name',
  'option3 name'
]
/** A row without any of these only adds an image to its product. */
const VARIANT_ROLES = ['title', 'option1 value', 'option2 value', 'option3 value', 'sku', 'price', 'barcode']

/**
 * Maximum number of rows per handle, image rows included: Shopify allows 2,048 variants and 250
 * images. Further rows are treated as a new group without product data.
 */
const MAX_ROWS = 3000
/** Maximum number of characters per handle, with the same effect. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/** Rows that are emitted in one step. */
const ROWS_PER_STEP = 64

/** The columns of a Shopify product export; null if the file is not such an export. */
export function shopifyColumns(headers: string[]): Columns | null {
  const names = headers.map(normalizeHeader)
  const known =
    names.includes('url handle') || (names.includes('handle') && MARKERS.some((name) => names.includes(name)))
  if (!known || !names.includes('title')) return null
  return names.map((name) => (OPTION.test(name) ? name : Object.hasOwn(ROLES, name) ? ROLES[name]! : null))
}

/** The columns that are all empty in a row without a variant. */
export function shopifyVariantColumns(columns: Columns): number[] {
  return VARIANT_ROLES.flatMap((role) => columnIndexes(columns).all(role))
}

/**
 * Builds rows of a Shopify export. Each variant is a product. It inherits missing fields from the
 * first row with a title of its handle, and gets all images of the handle.
 * The rows of a handle are consecutive. A row with only an image is not a product. Drafts and
 * archived products are imported unchanged.
 */
export function createShopifyAssembler(
  { columns, delimiter }: { columns: Columns; delimiter: string },
  emit: (row: Row) => void
): Assembler {
  const { one } = columnIndexes(columns)
  const inherited = INHERITED.map(one).filter((column) => column !== -1)
  const cell = ({ cells }: CsvRecord, role: string) => cells[one(role)] ?? ''
  let group: CsvRecord[] = []
  let characters = 0
  /** The handle of the group; null while the group has only invalid rows. */
  let handle: string | null = null

  /** An invalid row joins any group, so that it does not separate its neighbors. */
  const joins = (record: CsvRecord) =>
    group.length > 0 &&
    group.length < MAX_ROWS &&
    characters < MAX_CHARACTERS &&
    (record.error !== null || (handle !== '' && handle === cell(record, 'handle')))

  function* end(): Generator<void, void> {
    const base = group.find((record) => record.error === null && cell(record, 'title') !== '') ?? null
    const images = groupImages()
    const tags = base === null ? [] : parseList(cell(base, 'tags'))
    for (const [index, record] of group.filter(({ isRow }) => isRow).entries()) {
      if (index % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield
      emit(
        record.error === null
          ? toVariantRow(record, { base, images, tags })
          : unreadableRow(record, cell(record, 'sku'))
      )
    }
    group = []
    characters = 0
    handle = null
  }

  /** The images of the handle, which are in each of its rows. More than a product may have are an error anyway. */
  function groupImages(): string[] {
    const images = new Set<string>()
    for (const record of group) {
      if (record.error !== null) continue
      for (const image of imagesOf(record)) {
        images.add(image)
        if (images.size > MAX_PRODUCT_IMAGES + 1) return [...images]
      }
    }
    return [...images]
  }

  /** `tags` are those of `base`. Lists are parsed once, because thousands of variants may inherit them. */
  function toVariantRow(
    record: CsvRecord,
    { base, images, tags }: { base: CsvRecord | null; images: string[]; tags: string[] }
  ): Row {
    const filled = { ...record, cells: record.cells.slice() }
    for (const column of inherited) if (filled.cells[column] === '') filled.cells[column] = base?.cells[column] ?? ''
    const get = (role: string) => cell(filled, role)
    const draft = createDraft()
    setIdentifiers(draft, get)
    const set = (field: string, text: string) => {
      if (text !== '') cellSetter(field)(draft, text)
    }
    if (get('title') === '') {
      draft.errors.push({
        pointer: '/title',
        code: 'variant_without_product',
        message: 'is missing: put the first row of the handle, which has the title, directly before its other rows'
      })
    }
    set('title', get('title'))
    set('description', get('body'))
    set('brand', get('vendor'))
    set('category', get('category') || get('type'))
    if (cell(record, 'tags') !== '') set('tags', get('tags'))
    else if (tags.length > 0) draft.value.tags = tags
    set('mpn', get('mpn'))
    if (get('barcode') !== '') setIdentifier(draft, 'gtin', cleanGtin(get('barcode')))
    if (get('price') !== '') setPrice(draft, get('price'))
    setOptions(draft, get)
    set('groupId', get('handle'))
    setSeo(draft, { handle: get('handle'), metaTitle: get('seoTitle'), metaDescription: get('seoDescription') })
    const first = get('variantImage') || images[0]
    if (first !== undefined) draft.value.imageUrl = first
    const others = images.filter((image) => image !== first)
    if (others.length > 0) draft.value.images = others
    return withRaw(toRow(record, draft), () => {
      const changed = new Map(
        inherited
          .map((column) => [column, filled.cells[column]!] as const)
          .filter(([column]) => record.cells[column] === '')
      )
      if (images.length > 0) changed.set(one('image'), images.join(' | '))
      return changed.size === 0 ? record.raw : replaceCells(record.raw, delimiter, changed)
    })
  }

  const imagesOf = (record: CsvRecord) => (cell(record, 'image') === '' ? [] : parseUrls(cell(record, 'image')))

  return {
    canResumeAt: (record) => !joins(record),
    take(record) {
      group.push(record)
      characters += record.raw.length
      if (record.error === null) handle = cell(record, 'handle')
    },
    end
  }
}

/** The identifier of a variant: its SKU, otherwise the handle with the option values. */
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

/** Shopify gives a product without options the option Title with the value Default Title. */
function options(get: (role: string) => string): { name: string; value: string }[] {
  return ['1', '2', '3']
    .map((n) => ({ name: get(`option${n} name`) || `Option ${n}`, value: get(`option${n} value`) }))
    .filter(({ name, value }) => value !== '' && !(name === 'Title' && value === 'Default Title'))
}
