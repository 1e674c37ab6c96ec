import { hash } from 'node:crypto'
import type { BlogRecord, ProductRecord } from '../../ports/store/port.ts'
import { writeBlog } from '../../ports/store/sqlite/blogs/write.ts'
import { openDatabase, type Database } from '../../ports/store/sqlite/database.ts'
import { insertProduct } from '../../ports/store/sqlite/products/write.ts'
import { newId } from '../../services/ids.ts'
import { categoryOf, publishedAtOf, slugOf, subjectOf, tagOf } from './content.ts'

/*
 * Copies of posts and products with the labels, dates, words and unique values of their index. They can be listed and
 * searched, and are saved without what follows a publication: they have no related posts, and no events.
 */

/** Records of one transaction. The more, the fewer times the pages of indexes are written. */
const COPIED_AT_ONCE = 2_000
/** No other process reads the file, and a run that is interrupted begins again: nothing waits for the disk. */
const SETTINGS = ['PRAGMA journal_mode = OFF', 'PRAGMA synchronous = OFF', 'PRAGMA cache_size = -1000000']

/** What to copy: the records with the indexes from `first` to before `end`. */
export interface Copies<Template> {
  templates: Template[]
  first: number
  end: number
}

export function copyPost({ body, ...template }: BlogRecord, index: number): BlogRecord {
  const now = new Date().toISOString()
  const subject = `subject${subjectOf(index)}`
  const toSubject = (term: string): string => (term.startsWith('subject') ? term.replace(/^subject\d+/, subject) : term)
  return {
    ...template,
    id: newId(),
    slug: slugOf(index),
    title: template.title.replace(/\d+$/, String(index)),
    category: categoryOf(index),
    tags: [tagOf(index)],
    publishedAt: publishedAtOf(index),
    createdAt: now,
    updatedAt: now,
    body: { ...body, textTerms: body.textTerms.map(toSubject), titleTerms: body.titleTerms.map(toSubject) }
  }
}

function copyProduct(template: ProductRecord, index: number): ProductRecord {
  const now = new Date().toISOString()
  const toIndex = (text: string): string => text.replace(/\d+$/, String(index))
  return {
    ...template,
    id: newId(),
    externalId: `product-${index}`,
    sku: `SKU-${index}`,
    title: toIndex(template.title),
    claims: template.claims.map((claim) =>
      claim.startsWith('handle:')
        ? `${claim}-${index}`
        : claim.slice(0, -20) + hash('sha256', `${claim} ${index}`, 'base64url').slice(0, 20)
    ),
    terms: [...template.terms.slice(0, -1), `product-${index}`],
    createdAt: now,
    updatedAt: now
  }
}

/** Copies posts and products in the file of a closed store. */
export function copyInFile(
  file: string,
  { posts, products }: { posts?: Copies<BlogRecord>; products?: Copies<ProductRecord> }
): void {
  const db = openDatabase(file)
  try {
    for (const setting of SETTINGS) db.all(setting)
    if (posts !== undefined) copyEach(db, posts, (template, index) => writeBlog(db, copyPost(template, index)))
    if (products !== undefined) {
      copyEach(db, products, (template, index) => insertProduct(db, copyProduct(template, index)) === 'saved')
    }
  } finally {
    db.close()
  }
}

function copyEach<Template>(
  db: Database,
  { templates, first, end }: Copies<Template>,
  write: (template: Template, index: number) => boolean
): void {
  for (let start = first; start < end; start += COPIED_AT_ONCE) {
    db.transaction(() => {
      for (let index = start; index < Math.min(end, start + COPIED_AT_ONCE); index++) {
        if (!write(templates[index % templates.length]!, index)) throw new Error(`Record ${index} was not copied`)
      }
    })
  }
}
