import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatDateTime, formatNumber, formatRelative } from '../format.ts'
import type { Query } from '../use-query.ts'
import { Button } from './controls.tsx'

interface PageProps {
  title: string
  /** Beside the title: the state of what the page shows. */
  badge?: ComponentChildren
  /** The page above, for a link back. */
  parent?: { href: string; text: string }
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page with its heading, which receives the focus so that screen readers announce the page. */
export function Page({ title, badge, parent, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Console`
  }, [title])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="page-head">
        <div>
          {parent !== undefined && (
            <a class="parent" href={`#${parent.href}`}>
              {parent.text}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {badge}
          </h1>
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** A message about the result of an action, or a problem. Screen readers announce it. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** An error, scrolled into view when it appears: the form may be longer than the screen. */
export function ErrorNotice({ error }: { error: string | null }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.scrollIntoView({ block: 'nearest' }), [error])
  return error === null ? null : (
    <div ref={notice}>
      <Notice tone="bad">{error}</Notice>
    </div>
  )
}

/** A list without entries: what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** A text of the service in which backticks mark code. */
export function MarkedText({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}

export function Panel({
  title,
  actions,
  children
}: {
  title: string
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** Shows the data of a query: the error, the first loading, or the content. */
export function Loaded<T>({ query, children }: { query: Query<T>; children: (data: T) => ComponentChildren }) {
  if (query.data === null) {
    if (query.error !== null) {
      return (
        <Notice tone="bad">
          <p>{query.error}</p>
          <Button onClick={query.reload}>Try again</Button>
        </Notice>
      )
    }
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    )
  }
  return (
    <>
      <ErrorNotice error={query.error} />
      {children(query.data)}
    </>
  )
}

/** A point in time: how long ago, with the exact time as a tooltip. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">never</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at)}
    </time>
  )
}

interface PagesProps {
  page: number
  totalPages: number
  totalCount: number
  item: string
  onPage: (page: number) => void
}

/** The navigation below a list. */
export function Pages({ page, totalPages, totalCount, item, onPage }: PagesProps) {
  return (
    <nav class="pages" aria-label="Pages">
      <span>
        {formatNumber(totalCount)} {item}
        {totalCount === 1 ? '' : 's'}
      </span>
      {totalPages > 1 && (
        <span class="buttons">
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <span>
            Page {page} of {totalPages}
          </span>
          <Button disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  )
}

/**
 * A table that scrolls inside of its box where the page is too narrow. On phones, each row is a block, with the names
 * of the columns beside their values.
 */
export function Table({
  label,
  head,
  children
}: {
  label: string
  head: readonly (string | { text: string; numeric?: true; hidden?: true })[]
  children: ComponentChildren
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  // The rows are components of their own, so that their cells are known only after rendering.
  useLayoutEffect(() => {
    for (const { cells } of body.current!.rows) {
      for (const [index, cell] of [...cells].entries()) {
        const column = head[index]!
        const { text, hidden = false } = typeof column === 'string' ? { text: column } : column
        if (!hidden) cell.dataset.label = text
        cell.classList.toggle('no-value', cell.textContent === '')
      }
    }
  })
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((column) => {
              const { text, numeric, hidden } = typeof column === 'string' ? { text: column } : column
              return (
                <th key={text} scope="col" class={numeric ? 'numeric' : undefined}>
                  {hidden === true ? <span class="visually-hidden">{text}</span> : text}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  )
}

/** A secret that is shown once, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [state, setState] = useState('Copy')
  const input = useRef<HTMLInputElement>(null)
  const copy = async (): Promise<void> => {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setState('Copied')
    } catch {
      setState('Press Ctrl+C') // Browsers offer the clipboard on secure origins only.
    }
  }
  return (
    <div class="secret">
      <input ref={input} readOnly value={value} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <Button look="primary" onClick={() => void copy()}>
        {state}
      </Button>
    </div>
  )
}

/** A share of a limit. Nearly all of it is a problem, unless `isGood`. */
export function Meter(props: { label: string; used: number; limit: number; isGood?: boolean }) {
  const { label, used, limit, isGood = false } = props
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const isBad = isGood ? share < 0.7 : share > 0.9
  return (
    <svg class={`meter ${isBad ? 'bad' : ''}`} viewBox="0 0 100 4" preserveAspectRatio="none" role="img">
      <title>{`${label}: ${Math.round(share * 100)}%`}</title>
      <rect class="track" width="100" height="4" />
      <rect class="bar" width={share * 100} height="4" />
    </svg>
  )
}
