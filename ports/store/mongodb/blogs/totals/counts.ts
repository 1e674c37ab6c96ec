import { foldLabel, type LabelCount } from '../../../../../lib/labels.ts'
import { languageOf } from '../../../../../lib/transliterate.ts'
import { BLOG_STATUSES } from '../../../../../schemas/blog.ts'
import type { BlogFilter, BlogLabel, ProjectScope } from '../../../port.ts'
import { decodeName, encodeName } from '../../totals/documents.ts'
import type { BlogDocument } from '../documents.ts'

/** What stored totals depend on, of a blog that is not deleted. */
export interface CountedBlog {
  projectId: string
  status: string
  /** In lower case. */
  locale: string
  category: string | null
  tags: string[]
  authors: string[]
  /** The minute of each time, see `MINUTE`. Undefined: not counted by time. Null: without this time. */
  published?: string | null
  updated?: string | null
  /** As storage of the account. Undefined: not counted. */
  bytes?: number
}

/** The length of a time up to the minute, such as `2026-11-27T10:30`, and up to the month. */
export const MINUTE = 16
export const MONTH = 7

/** The projection for `stateOf`. */
export const STATE_FIELDS = {
  projectId: 1,
  deleted: 1,
  'keys.locale': 1,
  'metadata.status': 1,
  'metadata.category': 1,
  'metadata.tags': 1,
  'metadata.authors.name': 1,
  'metadata.publishedAt': 1,
  'metadata.updatedAt': 1
} as const

/** Null for a deleted blog. */
export function stateOf({
  projectId,
  deleted,
  keys,
  metadata,
  bytes
}: BlogDocument & { bytes?: number }): CountedBlog | null {
  if (deleted || metadata === undefined) return null
  const { status, category, tags, authors, publishedAt, updatedAt } = metadata
  return {
    projectId,
    status,
    locale: keys!.locale,
    category,
    tags,
    authors: authors.map(({ name }) => name),
    published: publishedAt?.slice(0, MINUTE) ?? null,
    updated: updatedAt.slice(0, MINUTE),
    ...(bytes === undefined ? {} : { bytes })
  }
}

/** What counts that began with this generation contain of a blog. Null: nothing. */
export const countedState = ({ counted }: BlogDocument, since: number | null): CountedBlog | null =>
  counted === undefined || counted.generation < (since ?? 0) ? null : counted.state

/** The state as it is counted while processes run that do not count by time. */
export function withoutTimes(state: CountedBlog | null): CountedBlog | null {
  if (state === null) return null
  const { published: _published, updated: _updated, ...others } = state
  return others
}

/** The times by which blogs are counted. */
export type TimeField = 'published' | 'updated'
export const TIME_FIELDS: readonly TimeField[] = ['published', 'updated']

/** `all`: every blog once, with an empty label. Times are counted by month, which is their label. */
export type CountKind = 'all' | BlogLabel | TimeField

/** Counts by locale and spelling. */
type LocaleCounts = Record<string, Record<string, number>>
/** Counts by kind, status, folded label, project, locale and spelling. The names are encoded. */
export type Counts = { bytes?: number } & Partial<
  Record<CountKind, Record<string, Record<string, Record<string, LocaleCounts>>>>
>

/** The labels of a blog, by their folded forms. Of several spellings, the first one counts. */
function labelsOf(blog: CountedBlog, kind: CountKind): Map<string, string> {
  if (kind === 'published' || kind === 'updated') {
    const month = blog[kind]?.slice(0, MONTH)
    return new Map(month === undefined ? [] : [[month, month]])
  }
  const { category, tags, authors } = blog
  const labels = { all: [''], category: category === null ? [] : [category], tag: tags, author: authors }[kind]
  const byKey = new Map<string, string>()
  for (const label of labels) {
    const key = foldLabel(label)
    if (!byKey.has(key)) byKey.set(key, label)
  }
  return byKey
}

export const COUNT_KINDS: readonly CountKind[] = ['all', 'category', 'tag', 'author', ...TIME_FIELDS]

/**
 * Changes the counts by one blog: 1 adds it, and -1 removes it. Counts that become 0 stay until `removeZeros`: whether
 * an object is empty is only known from a list of its keys, and an account may have thousands of labels.
 */
export function addBlog(counts: Counts, blog: CountedBlog, by: 1 | -1): void {
  const place = [encodeName(blog.projectId), encodeName(blog.locale)]
  if (blog.bytes !== undefined) counts.bytes = (counts.bytes ?? 0) + by * blog.bytes
  for (const kind of COUNT_KINDS) {
    for (const [key, label] of labelsOf(blog, kind)) {
      let branch = counts as Branch
      for (const name of [kind, blog.status, encodeName(key), ...place]) branch = (branch[name] ??= {}) as Branch
      const spelling = encodeName(label)
      branch[spelling] = ((branch[spelling] as number | undefined) ?? 0) + by
    }
  }
}

/** The number of pairs of a project and a locale that have blogs. */
export function countPlaces(counts: Counts): number {
  const places = new Set<string>()
  for (const labels of Object.values(counts.all ?? {})) {
    for (const [project, locales] of Object.entries(labels[encodeName('')] ?? {})) {
      for (const locale of Object.keys(locales)) places.add(`${project} ${locale}`)
    }
  }
  return places.size
}

interface Branch {
  [name: string]: Branch | number
}

/** Deletes counts of 0, and what is empty without them. `pause` is called between labels. */
export async function removeZeros(counts: Counts, pause: () => Promise<void> | void): Promise<void> {
  for (const kind of COUNT_KINDS) {
    const statuses = counts[kind]
    if (statuses === undefined) continue
    for (const [status, labels] of Object.entries(statuses)) {
      if (await removeZeroLabels(labels as Branch, pause)) delete statuses[status]
    }
    if (Object.keys(statuses).length === 0) delete counts[kind]
  }
}

/** Deletes labels without counts. Returns whether no label is left. */
async function removeZeroLabels(labels: Branch, pause: () => Promise<void> | void): Promise<boolean> {
  for (const [label, projects] of Object.entries(labels)) {
    if (removeZerosOf(projects as Branch)) delete labels[label]
    await pause()
  }
  return Object.keys(labels).length === 0
}

/** Returns whether nothing is left. */
function removeZerosOf(branch: Branch): boolean {
  let isEmpty = true
  for (const [name, value] of Object.entries(branch)) {
    if (value === 0 || (typeof value === 'object' && removeZerosOf(value))) delete branch[name]
    else isEmpty = false
  }
  return isEmpty
}

/** The label that a list is filtered by. */
export interface CountedLabel {
  kind: CountKind
  key: string
}

const LABELS = ['category', 'tag', 'author'] as const
const UNCOUNTED = ['updatedSince', 'publishedAfter', 'publishedBefore'] as const

/** Null for a list whose total is not stored: with search words, a time, or several labels. */
export function countedLabelOf(filter: BlogFilter): CountedLabel | null {
  if (filter.terms?.some((term) => term !== '') === true) return null
  if (UNCOUNTED.some((name) => filter[name] !== undefined)) return null
  const [kind, ...others] = LABELS.filter((name) => filter[name] !== undefined)
  if (others.length > 0) return null
  return kind === undefined ? { kind: 'all', key: '' } : { kind, key: foldLabel(filter[kind]!) }
}

export const statusesOf = ({ status }: Pick<BlogFilter, 'status'>): readonly string[] =>
  status === 'any' ? BLOG_STATUSES : [status]

/** Whether blogs of a place belong to a list. */
type Visible = ProjectScope & { locale?: string | undefined; language?: string | undefined }
const hasProject = ({ projectIds, projectId }: Visible, id: string): boolean =>
  (projectIds?.includes(id) ?? true) && (projectId === undefined || projectId === id)
const hasLocale = ({ locale, language }: Visible, stored: string): boolean =>
  (locale === undefined || locale.toLowerCase() === stored) &&
  (language === undefined || languageOf(stored) === language)

/** The number of blogs of the list that the counts contain. */
export function countBlogs(counts: Counts, filter: BlogFilter, { kind, key }: CountedLabel): number {
  let total = 0
  for (const status of statusesOf(filter)) {
    const spellings = visibleCounts(counts[kind]?.[status]?.[encodeName(key)], filter)
    for (const { count } of spellings) total += count
  }
  return total
}

/** The months in which blogs of the list have this time, each with their number. */
export function monthCounts(counts: Counts, filter: BlogFilter, field: TimeField): Map<string, number> {
  const months = new Map<string, number>()
  for (const status of statusesOf(filter)) {
    for (const projects of Object.values(counts[field]?.[status] ?? {})) {
      for (const { label, count } of visibleCounts(projects, filter)) {
        months.set(label, (months.get(label) ?? 0) + count)
      }
    }
  }
  return months
}

/** Whether the list contains the blog. */
export function isCounted(blog: CountedBlog | null, filter: BlogFilter, { kind, key }: CountedLabel): boolean {
  if (blog === null || !statusesOf(filter).includes(blog.status)) return false
  return hasProject(filter, blog.projectId) && hasLocale(filter, blog.locale) && labelsOf(blog, kind).has(key)
}

/** The spellings of all labels of this kind of published blogs, and how many blogs have each. */
export function* labelCounts(counts: Counts, by: BlogLabel, scope: Visible): Generator<LabelCount> {
  for (const projects of Object.values(counts[by]?.published ?? {})) yield* visibleCounts(projects, scope)
}

/** The spellings of the labels of one blog, if it is published and visible. */
export function* labelCountsOf(blog: CountedBlog | null, by: BlogLabel, scope: Visible): Generator<LabelCount> {
  if (blog?.status !== 'published' || !hasProject(scope, blog.projectId) || !hasLocale(scope, blog.locale)) return
  for (const label of labelsOf(blog, by).values()) yield { label, count: 1 }
}

function* visibleCounts(projects: Record<string, LocaleCounts> | undefined, visible: Visible): Generator<LabelCount> {
  for (const [project, locales] of Object.entries(projects ?? {})) {
    if (!hasProject(visible, decodeName(project))) continue
    for (const [locale, spellings] of Object.entries(locales)) {
      if (!hasLocale(visible, decodeName(locale))) continue
      for (const [spelling, count] of Object.entries(spellings)) yield { label: decodeName(spelling), count }
    }
  }
}
