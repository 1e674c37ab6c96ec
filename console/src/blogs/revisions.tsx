import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BlogDraft } from '../../../schemas/blog.ts'
import type { BlogRevision, BlogRevisionDetail, BlogRevisionList } from '../../../schemas/blog-revision.ts'
import { call, withQuery } from '../api.ts'
import { formatDateTime } from '../format.ts'
import { useQuery } from '../use-query.ts'
import { Button, Filter } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Badge, Loaded, Notice, Pages, Time } from '../ui/display.tsx'
import { FIELD_NAMES, RevisionDiff } from './revision-diff.tsx'

interface Props {
  blog: BlogDraft
  /** Unsaved changes would be lost. */
  isDirty: boolean
  onRestored: (blog: BlogDraft) => void
}

const PAGE_SIZE = 20

/** The revisions of a post, their differences, and the way back to one of them. */
export function RevisionsTab({ blog, isDirty, onRestored }: Props) {
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<number | null>(null)
  const [restored, setRestored] = useState<number | null>(null)
  const list = useQuery<BlogRevisionList>(
    withQuery(`/api/v1/blogs/${blog.id}/revisions`, { page, pageSize: PAGE_SIZE })
  )
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) list.reload()
    isFirst.current = false
  }, [blog.version])

  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is gone.
  useEffect(() => {
    if (restored !== null) heading.current?.focus()
  }, [restored, blog.version])

  return (
    <Loaded query={list}>
      {({ revisions, ...totals }) => (
        <div class="stack">
          <h2 ref={heading} tabIndex={-1}>
            Revisions
          </h2>
          {restored !== null && !isDirty && (
            <Notice tone="good">Revision {restored} was restored. The version before it is in the list.</Notice>
          )}
          <ol class="revisions" aria-label="Revisions">
            {revisions.map((revision, at) => (
              <Item
                key={revision.revision}
                revision={revision}
                isOpen={revision.revision === selected}
                onToggle={() => {
                  setRestored(null)
                  setSelected(revision.revision === selected ? null : revision.revision)
                }}
              >
                <Comparison
                  key={blog.version}
                  blog={blog}
                  revision={revision}
                  previous={revisions[at + 1]?.revision ?? (page < totals.totalPages ? revision.revision - 1 : null)}
                  isDirty={isDirty}
                  onRestored={(saved) => {
                    setRestored(revision.revision)
                    setSelected(null)
                    setPage(1)
                    onRestored(saved)
                  }}
                />
              </Item>
            ))}
          </ol>
          <Pages {...totals} item="revision" onPage={setPage} />
        </div>
      )}
    </Loaded>
  )
}

interface ItemProps {
  revision: BlogRevision
  isOpen: boolean
  onToggle: () => void
  /** The comparison. */
  children: ComponentChildren
}

function Item({ revision, isOpen, onToggle, children }: ItemProps) {
  const { savedBy, changedFields, restoredFrom } = revision
  const changes = changedFields.map((name) => FIELD_NAMES[name]).join(', ')
  return (
    <li>
      <button type="button" aria-expanded={isOpen} onClick={onToggle}>
        <span class="row">
          <strong>Revision {revision.revision}</strong>
          {revision.isCurrent && <Badge tone="good">Current</Badge>}
          {!revision.isCurrent && revision.status === 'published' && <Badge>Was public</Badge>}
        </span>
        <span class="muted small">
          <Time at={revision.savedAt} />
          {savedBy !== null && ` by ${savedBy.name ?? savedBy.id}`}
          {savedBy?.type === 'key' && ' (API key)'}
        </span>
        <span class="small">
          {restoredFrom !== null && `Restored revision ${restoredFrom}. `}
          {changes === '' ? revision.title : `Changed: ${changes}`}
        </span>
      </button>
      {isOpen && children}
    </li>
  )
}

interface ComparisonProps extends Props {
  revision: BlogRevision
  /** The revision before, if it is stored. */
  previous: number | null
}

/** What a revision changed, or how it differs from the current one. */
function Comparison({ blog, revision, previous, isDirty, onRestored }: ComparisonProps) {
  const { revision: number, isCurrent } = revision
  const [against, setAgainst] = useState<'current' | 'previous'>(isCurrent ? 'previous' : 'current')
  const [isConfirming, setConfirming] = useState(false)
  const path = `/api/v1/blogs/${blog.id}/revisions`
  const selected = useQuery<BlogRevisionDetail>(isCurrent ? null : `${path}/${number}`)
  const before = useQuery<BlogRevisionDetail>(
    against === 'previous' && previous !== null ? `${path}/${previous}` : null
  )
  const options = [
    ...(isCurrent ? [] : [['current', 'Compared with now'] as const]),
    ...(previous === null ? [] : [['previous', 'What it changed'] as const])
  ]

  return (
    <section class="stack comparison" aria-label={`Comparison of revision ${number}`}>
      {!isCurrent && (
        <div class="row">
          {options.length > 1 && <Filter label="Comparison" value={against} options={options} onChange={setAgainst} />}
          <Button disabled={isDirty} onClick={() => setConfirming(true)}>
            Restore
          </Button>
        </div>
      )}
      {!isCurrent && isDirty && <Notice tone="info">Save your changes before you restore a revision.</Notice>}
      {against === 'current' && (
        <>
          <p class="muted small">From this revision (−) to the saved post (+).</p>
          <Loaded query={selected}>{(content) => <RevisionDiff before={content} after={blog} />}</Loaded>
        </>
      )}
      {against === 'previous' && previous === null && <p class="muted">There is no revision before it.</p>}
      {against === 'previous' && previous !== null && (
        <>
          <p class="muted small">
            From revision {previous} (−) to revision {number} (+).
          </p>
          <Loaded query={before}>
            {(content) =>
              isCurrent ? (
                <RevisionDiff before={content} after={blog} />
              ) : (
                <Loaded query={selected}>{(later) => <RevisionDiff before={content} after={later} />}</Loaded>
              )
            }
          </Loaded>
        </>
      )}
      {isConfirming && (
        <Confirm
          title={`Restore revision ${number}?`}
          action="Restore"
          onClose={() => setConfirming(false)}
          onConfirm={async () => {
            onRestored(
              await call<BlogDraft>('POST', `${path}/${number}/restore`, {
                headers: { 'if-match': `"v${blog.version}"` }
              })
            )
          }}
        >
          <p>
            The text and the details become those of {formatDateTime(revision.savedAt)}. The slug stays, and the current
            version stays in the list.
          </p>
          {blog.status === 'published' && <p>The post is published: readers see the change at once.</p>}
        </Confirm>
      )}
    </section>
  )
}
