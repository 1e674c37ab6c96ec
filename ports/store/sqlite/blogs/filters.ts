import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogFilter } from '../../port.ts'
import { and, inScope, type Condition } from '../sql.ts'

const EQUALS = {
  category: { sql: 'b.category_key = ?', normalize: foldLabel },
  locale: { sql: 'b.locale = ?', normalize: (locale: string) => locale.toLowerCase() },
  language: { sql: 'b.language = ?', normalize: (language: string) => language }
} as const
/** Labels of which a blog may have several. They have a table of their own. */
export const LABELS = ['tag', 'author'] as const

type Filtered = keyof typeof EQUALS | (typeof LABELS)[number] | 'scope' | 'status'

/** The conditions of all filters but the period, without those in `covered`. */
export function toConditions(filter: BlogFilter, covered: Filtered[] = []): Condition[] {
  const { accountId, status, updatedSince } = filter
  const conditions = covered.includes('scope') ? [] : [inScope(filter, 'b')]
  if (status !== 'any' && !covered.includes('status')) conditions.push({ sql: 'b.status = ?', values: [status] })
  for (const name of ['category', 'locale', 'language'] as const) {
    const { sql, normalize } = EQUALS[name]
    const value = filter[name]
    if (value !== undefined && !covered.includes(name)) conditions.push({ sql, values: [normalize(value)] })
  }
  if (updatedSince !== undefined) conditions.push({ sql: 'b.updated_at >= ?', values: [updatedSince] })
  for (const kind of LABELS) {
    const label = filter[kind]
    if (label === undefined || covered.includes(kind)) continue
    conditions.push({
      sql: `EXISTS (
        SELECT 1 FROM blog_labels l WHERE l.account_id = ? AND l.kind = ? AND l.label_key = ? AND l.n = b.n
      )`,
      values: [accountId, kind, foldLabel(label)]
    })
  }
  return conditions
}

export function inPeriod({ publishedAfter, publishedBefore }: BlogFilter): Condition[] {
  return [
    ...(publishedAfter === undefined ? [] : [{ sql: 'b.published_at > ?', values: [publishedAfter] }]),
    ...(publishedBefore === undefined ? [] : [{ sql: 'b.published_at < ?', values: [publishedBefore] }])
  ]
}

/** The project of the lists that the index of a project contains. */
export function indexedProject(filter: BlogFilter): string | undefined {
  const projects = [...(filter.projectId === undefined ? [] : [filter.projectId]), ...(filter.projectIds ?? [])]
  return projects.length === 1 ? projects[0] : undefined
}

/**
 * An index in order of publication that contains all blogs of the filter, the columns before, and
 * the filters that these columns answer.
 */
export function chooseIndex(filter: BlogFilter): { index: string; columns: Condition; covered: Filtered[] } {
  const { accountId, status, category, locale } = filter
  const project = indexedProject(filter)
  const scope: Filtered[] = filter.projectId === undefined && filter.projectIds === null ? ['scope'] : []
  const by = (index: string, columns: Record<string, string>, covered: Filtered[] = scope) => ({
    index,
    columns: and(
      Object.entries({ account_id: accountId, ...columns }).map(([column, value]) => ({
        sql: `b.${column} = ?`,
        values: [value]
      }))
    ),
    covered
  })
  if (status === 'any') return by('blogs_of_any_status', {})
  if (category !== undefined) {
    const key = { category_key: foldLabel(category), status }
    return by('blogs_by_category', key, [...scope, 'status', 'category'])
  }
  if (project !== undefined) return by('blogs_by_project', { project_id: project, status }, ['scope', 'status'])
  if (locale !== undefined) {
    return by('blogs_by_locale', { locale: locale.toLowerCase(), status }, [...scope, 'status', 'locale'])
  }
  return by('blogs_listed', { status }, [...scope, 'status'])
}
