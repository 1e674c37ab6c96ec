import { useMemo } from 'preact/hooks'
import type { BlogRevisionDetail, RevisionField } from '../../../schemas/blog-revision.ts'
import { formatNumber, plural } from '../format.ts'
import { diffLines, type DiffPart, type DiffRow } from './line-diff.ts'

/** A post, or a revision of it. */
export type RevisionContent = Pick<
  BlogRevisionDetail,
  'title' | 'locale' | 'category' | 'tags' | 'authors' | 'translationKey' | 'source'
>

/** The names of fields, as the other tabs of the editor show them. */
export const FIELD_NAMES: Record<RevisionField, string> = {
  title: 'Title',
  format: 'Format',
  text: 'Text',
  css: 'CSS',
  metaTitle: 'Title for search results',
  metaDescription: 'Description for search results',
  excerpt: 'Excerpt',
  cover: 'Cover',
  ogImageUrl: 'Social image',
  canonicalUrl: 'Canonical URL',
  category: 'Category',
  tags: 'Tags',
  authors: 'Authors',
  translationKey: 'Translation key',
  locale: 'Language'
}

/** More lines are not shown: the page would become slow. */
const MAX_ROWS = 2000
const SIGNS = { same: ' ', removed: '−', added: '+' } as const

/** The values of all fields as text. */
function valuesOf(content: RevisionContent): Record<RevisionField, string> {
  const { title, locale, category, tags, authors, translationKey, source } = content
  const { cover, ...texts } = source
  return {
    title,
    locale,
    category: category ?? '',
    tags: tags.join(', '),
    authors: authors.map(({ name, url }) => (url === null ? name : `${name} (${url})`)).join(', '),
    translationKey: translationKey ?? '',
    format: texts.format === 'html' ? 'HTML' : 'Markdown',
    text: texts.text,
    css: texts.css ?? '',
    metaTitle: texts.metaTitle ?? '',
    metaDescription: texts.metaDescription ?? '',
    excerpt: texts.excerpt ?? '',
    cover: cover === null ? '' : [cover.url, cover.alt].filter((text) => text !== undefined).join(', '),
    ogImageUrl: texts.ogImageUrl ?? '',
    canonicalUrl: texts.canonicalUrl ?? ''
  }
}

interface Props {
  before: RevisionContent
  after: RevisionContent
}

/** The differences of two revisions, field by field. */
export function RevisionDiff({ before, after }: Props) {
  const changes = useMemo(() => {
    const [old, current] = [valuesOf(before), valuesOf(after)]
    const fields = (Object.keys(FIELD_NAMES) as RevisionField[]).filter((name) => old[name] !== current[name])
    return fields.map((name) => ({ name, rows: diffLines(old[name], current[name]) }))
  }, [before, after])
  if (changes.length === 0) return <p class="muted">There are no differences.</p>
  return (
    <div class="stack">
      {changes.map(({ name, rows }) => (
        <section key={name} class="stack diff-field">
          <h3>{FIELD_NAMES[name]}</h3>
          <Lines label={`Changes of the field ${FIELD_NAMES[name]}`} rows={rows} />
        </section>
      ))}
    </div>
  )
}

function Lines({ label, rows }: { label: string; rows: DiffRow[] }) {
  return (
    <div class="diff mono" role="region" aria-label={label} tabIndex={0}>
      {rows.slice(0, MAX_ROWS).map((row, at) =>
        row.kind === 'gap' ? (
          <p key={at} class="gap">
            {plural(row.count, 'unchanged line')}
          </p>
        ) : (
          <p key={at} class={row.kind} dir="auto">
            <span class="sign" aria-hidden="true">
              {SIGNS[row.kind]}
            </span>
            <Line kind={row.kind} parts={row.parts} />
          </p>
        )
      )}
      {rows.length > MAX_ROWS && <p class="gap">{formatNumber(rows.length - MAX_ROWS)} more lines are not shown.</p>}
    </div>
  )
}

function Line({ kind, parts }: { kind: 'same' | 'removed' | 'added'; parts: DiffPart[] }) {
  const content = parts.map(({ text, isChanged }, at) => (isChanged ? <mark key={at}>{text}</mark> : text))
  if (kind === 'same') return <span>{content}</span>
  return kind === 'added' ? <ins>{content}</ins> : <del>{content}</del>
}
