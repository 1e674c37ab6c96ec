import { LRUCache } from 'lru-cache'
import { setPrice, setSeo, cleanGtin, setAttribute, cellSetter, setIdentifier, parseUrls } from '../cells.ts'
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
 * Columns of the built-in WooCommerce product exporter, in English
 * (woocommerce.com/document/product-csv-importer-exporter).
 */
const ROLES: Record<string, string> = {
  id: 'id',
  type: 'type',
  sku: 'sku',
  'gtin, upc, ean, or isbn': 'gtin',
  name: 'name',
  'short description': 'short',
  description: 'description',
  'date sale price starts': 'saleStarts',
  'date sale price ends': 'saleEnds',
  'in stock?': 'stock',
  'sale price': 'salePrice',
  'regular price': 'regularPrice',
  categories: 'categories',
  tags: 'tags',
  images: 'images',
  parent: 'parent',
  brands: 'brands',
  slug: 'slug',
  'meta: _yoast_wpseo_title': 'yoastTitle',
  'meta: _yoast_wpseo_metadesc': 'yoastDescription',
  'meta: rank_math_title': 'rankMathTitle',
  'meta: rank_math_description': 'rankMathDescription'
}
const ATTRIBUTE = /^attribute ([0-9]{1,3}) (name|value\(s\))$/
const MARKERS = ['regular price', 'short description', 'visibility in catalog', 'published', 'parent']
const STOCK: Record<string, string> = { 1: 'in_stock', 0: 'out_of_stock', backorder: 'backorder' }

/** Fields that variations inherit from their parent. */
const INHERITED = [
  'name',
  'short',
  'description',
  'categories',
  'tags',
  'images',
  'brands',
  'slug',
  'yoastTitle',
  'yoastDescription',
  'rankMathTitle',
  'rankMathDescription'
]
/**
 * Maximum number of characters stored for parents. The exporter sorts by id, so that variations
 * usually follow soon after their parent.
 */
const MAX_PARENT_CHARACTERS = 32 * 1024 * 1024

/** Cells of so many characters are parsed once. */
const LONG_CELL = 1000

/** The columns of a WooCommerce export; null if the file is not such an export. */
export function woocommerceColumns(headers: string[]): Columns | null {
  const names = headers.map(normalizeHeader)
  if (
    !names.includes('type') ||
    !names.includes('name') ||
    !MARKERS.some((name) => names.includes(name)) ||
    !(names.includes('id') || names.includes('sku'))
  ) {
    return null
  }
  return names.map((name) => (ATTRIBUTE.test(name) ? name : Object.hasOwn(ROLES, name) ? ROLES[name]! : null))
}

/**
 * Whether this type (`variable`, `variable, virtual`, `variable-subscription`, …) is a parent whose
 * variations are the products.
 */
export function isVariable(type: string): boolean {
  return /variable/i.test(type) && !/variation/i.test(type)
}

/**
 * Builds rows of a WooCommerce export. A variation inherits missing fields from its parent, which
 * must precede it. Variable products are not products themselves.
 * Parents are stored up to a limit; the oldest are discarded first.
 */
export function createWoocommerceAssembler(
  { columns, delimiter }: { columns: Columns; delimiter: string },
  emit: (row: Row) => void
): Assembler {
  const { one } = columnIndexes(columns)
  const columnByRole = Object.fromEntries(
    [...Object.values(ROLES), ...columns.flatMap((role) => role ?? [])].map((role) => [role, one(role)])
  )
  const inherited = INHERITED.map(one).filter((at) => at !== -1)
  const attributes = columns.flatMap((role) =>
    ATTRIBUTE.exec(role ?? '')?.[2] === 'name' ? [{ name: role!, value: role!.replace(/name$/, 'value(s)') }] : []
  )
  const cell = ({ cells }: CsvRecord, role: string) => withoutApostrophe(cells[columnByRole[role]!] ?? '')
  const parents = new Map<string, string[]>()
  const lists = createLists()
  let parentCharacters = 0

  function recall(record: CsvRecord): void {
    const id = cell(record, 'sku') || `id:${cell(record, 'id')}`
    // Variations may refer to the same parent by its SKU and by its id.
    const texts = [...inherited.map((at) => record.cells[at]!), id]
    for (const key of [cell(record, 'sku'), `id:${cell(record, 'id')}`]) {
      if (key !== '' && key !== 'id:') addParent(key, texts)
    }
  }

  function addParent(key: string, texts: string[]): void {
    removeParent(key)
    parents.set(key, texts)
    parentCharacters += textLength(key, texts)
    for (const oldest of parents.keys()) {
      if (parentCharacters <= MAX_PARENT_CHARACTERS) break
      removeParent(oldest)
    }
  }

  function removeParent(key: string): void {
    const texts = parents.get(key)
    if (texts === undefined) return
    parentCharacters -= textLength(key, texts)
    parents.delete(key)
  }

  function toProductRow(record: CsvRecord): Row {
    const parentKey = /variation/i.test(cell(record, 'type')) ? cell(record, 'parent') : ''
    const parent = parents.get(parentKey)
    const filled = { ...record, cells: record.cells.slice() }
    for (const [i, at] of inherited.entries()) if (filled.cells[at] === '') filled.cells[at] = parent?.[i] ?? ''
    const draft = createDraft()
    setFields(draft, (role) => cell(filled, role), lists)
    if (parentKey !== '') draft.value.groupId = parent?.at(-1) ?? parentKey
    for (const { name, value } of attributes) {
      if (cell(record, name) !== '' && cell(record, value) !== '') {
        setAttribute(draft, cell(record, name), values(cell(record, value)).join(', '))
      }
    }
    if (parentKey !== '' && parent === undefined) {
      draft.errors.push({
        pointer: '',
        code: 'unknown_parent',
        message:
          `the parent ${parentKey.slice(0, 100)} does not precede this variation: ` +
          'move the parent before the variation, or clear the cell Parent'
      })
    }
    const row = toRow(record, draft)
    if (parent === undefined) return row
    return withRaw(row, () =>
      replaceCells(
        record.raw,
        delimiter,
        new Map([...inherited.map((at) => [at, filled.cells[at]!] as const), [columnByRole.parent!, '']])
      )
    )
  }

  return {
    canResumeAt: () => true,
    *end() {},
    recall,
    take(record) {
      if (record.error !== null) return emit(unreadableRow(record, cell(record, 'sku')))
      if (!record.isRow) return recall(record)
      emit(toProductRow(record))
    }
  }
}

type Lists = ReturnType<typeof createLists>

/** Parsers of cells that remember recent results: thousands of variations may inherit a cell of 1 MB. */
function createLists() {
  const remember = <Result extends string | string[]>(parse: (text: string) => Result) => {
    const recent = new LRUCache<string, Result>({ max: 20 })
    return (text: string): Result => {
      if (text.length < LONG_CELL) return parse(text)
      const result = recent.get(text) ?? parse(text)
      recent.set(text, result)
      return result
    }
  }
  return { deepest: remember(deepest), values: remember(values), urls: remember(parseUrls) }
}

function setFields(draft: Draft, get: (role: string) => string, lists: Lists): void {
  const set = (field: string, text: string) => {
    if (text !== '') cellSetter(field)(draft, text)
  }
  const id = get('sku') || (get('id') === '' ? '' : `id:${get('id')}`)
  set('sku', get('sku'))
  if (draft.errors.length === 0 && id !== '') draft.value.externalId = id
  set('title', get('name'))
  // The exporter writes line ends in descriptions as \n.
  set('description', (get('description') || get('short')).replaceAll('\\n', '\n').trim())
  set('category', lists.deepest(get('categories')))
  set('brand', lists.values(get('brands'))[0] ?? '')
  if (get('gtin') !== '') setIdentifier(draft, 'gtin', cleanGtin(get('gtin')))
  if (get('tags') !== '') draft.value.tags = lists.values(get('tags'))
  setSeo(draft, {
    handle: get('slug'),
    metaTitle: writtenText(get('yoastTitle'), get('rankMathTitle')),
    metaDescription: writtenText(get('yoastDescription'), get('rankMathDescription'))
  })
  const [image, ...images] = lists.urls(get('images'))
  set('imageUrl', image ?? '')
  if (images.length > 0) draft.value.images = images
  set('availability', STOCK[get('stock')] ?? '')
  // A sale with dates may be over or in the future.
  const onSale = get('salePrice') !== '' && get('saleStarts') === '' && get('saleEnds') === ''
  const price = onSale ? get('salePrice') : get('regularPrice')
  if (price !== '') setPrice(draft, price)
}

/** The first text that is not empty. Templates with variables such as `%%title%%` are not texts. */
function writtenText(...texts: string[]): string {
  return texts.find((text) => text.trim() !== '' && !/%%?[a-z_]+%/i.test(text)) ?? ''
}

/** Splits a cell at commas; a comma within a value is written as `\,`. */
function values(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((value) => value.replaceAll('\\,', ',').trim())
    .filter((value) => value !== '')
}

/** The category with the most levels; the first one if there are several. In linear time. */
function deepest(text: string): string {
  let best = { category: '', levels: 0 }
  for (const category of values(text)) {
    const levels = category.split(' > ').length
    if (levels > best.levels) best = { category, levels }
  }
  return best.category
}

/**
 * Removes the apostrophe that the exporter puts before text that a spreadsheet would treat as a
 * formula.
 */
function withoutApostrophe(text: string): string {
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text
}

function textLength(key: string, texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, key.length + 100)
}
