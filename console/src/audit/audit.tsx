import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AuditAction, AuditEntry, AuditList } from '../../../schemas/audit.ts'
import { call, withQuery } from '../api.ts'
import { formatDateTime, formatRelative } from '../format.ts'
import { replaceQuery, useRoute } from '../router.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Select } from '../ui/controls.tsx'
import { Empty, ErrorNotice, Loaded, Page, Table } from '../ui/display.tsx'
import { ACTION_TEXTS, ACTOR_TEXTS, actorName, changesText, targetPath } from './texts.ts'

const PAGE_SIZE = 50
/** The width at which the sections move below the page, in layout.css. */
const NARROW = '(max-width: 760px)'
const DAY_MS = 86_400_000
/** The periods to choose from, in days. */
const PERIODS = [
  ['', 'All times'],
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days']
] as const
type Period = (typeof PERIODS)[number][0]

/** An actor or a target whose entries are shown, with its name. */
interface Subject {
  id: string
  text: string
}

/** Who changed what in the account. */
export function AuditPage() {
  const { query } = useRoute()
  const [action, setAction] = useState((query.get('action') ?? '') as AuditAction | '')
  const [period, setPeriod] = useState((query.get('days') ?? '') as Period)
  const [actor, setActor] = useState(subjectOf(query.get('actor')))
  const [target, setTarget] = useState(subjectOf(query.get('target')))
  // Once for each choice, because every change of the path loads the list again.
  const since = useMemo(
    () => (period === '' ? null : new Date(Date.now() - Number(period) * DAY_MS).toISOString()),
    [period]
  )
  const path = withQuery('/api/audit', { pageSize: PAGE_SIZE, action, since, actor: actor?.id, target: target?.id })
  return (
    <Page title="Audit log">
      <div class="toolbar">
        <div class="row">
          <Select
            label="Action"
            value={action}
            options={[['', 'All actions'], ...(Object.entries(ACTION_TEXTS) as [AuditAction, string][])]}
            onChange={(value) => {
              setAction(value)
              replaceQuery({ action: value })
            }}
          />
          <Select
            label="Period"
            value={period}
            options={PERIODS}
            onChange={(value) => {
              setPeriod(value)
              replaceQuery({ days: value })
            }}
          />
        </div>
      </div>
      {(actor !== null || target !== null) && (
        <div class="row">
          <Chosen
            text="By"
            subject={actor}
            onRemove={() => {
              setActor(null)
              replaceQuery({ actor: null })
            }}
          />
          <Chosen
            text="On"
            subject={target}
            onRemove={() => {
              setTarget(null)
              replaceQuery({ target: null })
            }}
          />
        </div>
      )}
      <Entries
        path={path}
        isFiltered={action !== '' || since !== null || actor !== null || target !== null}
        onActor={(subject) => {
          setActor(subject)
          replaceQuery({ actor: subject.id })
        }}
        onTarget={(subject) => {
          setTarget(subject)
          replaceQuery({ target: subject.id })
        }}
      />
    </Page>
  )
}

/** The subject of an address, which contains only its id. */
const subjectOf = (id: string | null): Subject | null => (id === null ? null : { id, text: id })

/** A chosen actor or target, with a button that shows the others again. */
function Chosen({ text, subject, onRemove }: { text: string; subject: Subject | null; onRemove: () => void }) {
  if (subject === null) return null
  return (
    <span class="chosen">
      <span>
        {text} <strong>{subject.text}</strong>
      </span>
      <Button label={`Remove the filter ${text} ${subject.text}`} onClick={onRemove}>
        Remove
      </Button>
    </span>
  )
}

interface EntriesProps {
  path: string
  isFiltered: boolean
  onActor: (subject: Subject) => void
  onTarget: (subject: Subject) => void
}

function Entries({ path, isFiltered, onActor, onTarget }: EntriesProps) {
  const isNarrow = useMediaQuery(NARROW)
  const first = useQuery<AuditList>(path)
  // The pages after the first one, of this path.
  const [more, setMore] = useState<{ path: string; lists: AuditList[] }>({ path, lists: [] })
  const load = useAction(async (cursor: string) => {
    const list = await call<AuditList>('GET', `${path}&cursor=${cursor}`)
    setMore((previous) => ({ path, lists: [...(previous.path === path ? previous.lists : []), list] }))
  })
  return (
    <Loaded query={first}>
      {(data) => {
        const lists = [data, ...(more.path === path ? more.lists : [])]
        const entries = lists.flatMap((list) => list.entries)
        const next = lists.at(-1)!.nextCursor
        if (entries.length === 0) {
          return (
            <Empty title={isFiltered ? 'There are no changes like this.' : 'Nothing was changed yet.'}>
              <p>The log has the changes of this account, by keys, by people and by the service.</p>
            </Empty>
          )
        }
        return (
          <>
            {isNarrow ? (
              <ul class="changes" aria-label="Audit log">
                {entries.map((entry) => (
                  <EntryItem key={entry.id} entry={entry} onActor={onActor} onTarget={onTarget} />
                ))}
              </ul>
            ) : (
              <Table label="Audit log" head={['When', 'Who', 'What', 'Target', 'From']}>
                {entries.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} onActor={onActor} onTarget={onTarget} />
                ))}
              </Table>
            )}
            <ErrorNotice error={load.error} />
            <div class="pages">
              <span role="status">
                {entries.length} {entries.length === 1 ? 'change' : 'changes'}
                {next === null ? '' : ', and older ones'}
              </span>
              {next !== null && (
                <Button busy={load.isRunning} onClick={() => void load.run(next)}>
                  Load more
                </Button>
              )}
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

type EntryProps = { entry: AuditEntry } & Pick<EntriesProps, 'onActor' | 'onTarget'>

function EntryRow({ entry, onActor, onTarget }: EntryProps) {
  const { createdAt, actor, action, target, projectId, requestId, ipAddress } = entry
  const path = targetPath(entry)
  const label = target.label ?? target.id
  const changes = changesText(entry)
  return (
    <tr>
      <td>
        <time dateTime={createdAt} title={createdAt}>
          {formatDateTime(createdAt)}
        </time>
        <span class="sub">{formatRelative(createdAt)}</span>
      </td>
      <td class="who">
        <Choice name={actorName(actor)} id={actor.id} onChoose={onActor} />
        <span class={`sub ${actor.prefix === null ? '' : 'mono nowrap'}`}>
          {actor.prefix ?? (actor.type === 'system' ? '' : ACTOR_TEXTS[actor.type])}
        </span>
      </td>
      <td class="wide">
        {ACTION_TEXTS[action]}
        {changes !== '' && <span class="sub">{changes}</span>}
      </td>
      <td class="wide">
        {label !== null && <Choice name={label} id={target.id} onChoose={onTarget} />}
        {projectId !== null && projectId !== target.id && <span class="sub">{projectId}</span>}
        {path !== null && (
          <a class="sub" href={`#${path}`} aria-label={`Open ${label ?? 'it'}`}>
            Open
          </a>
        )}
      </td>
      <td class="nowrap">
        {ipAddress}
        <span class="sub mono">{requestId}</span>
      </td>
    </tr>
  )
}

/** An entry on a narrow screen: what was done comes first. */
function EntryItem({ entry, onActor, onTarget }: EntryProps) {
  const { createdAt, actor, action, target, ipAddress } = entry
  const path = targetPath(entry)
  const label = target.label ?? target.id
  const changes = changesText(entry)
  return (
    <li>
      <span>
        <strong>{ACTION_TEXTS[action]}</strong>{' '}
        {label !== null && <Choice name={label} id={target.id} onChoose={onTarget} />}
      </span>
      {changes !== '' && <span class="muted small">{changes}</span>}
      <span class="small">
        <Choice name={actorName(actor)} id={actor.id} onChoose={onActor} />{' '}
        <span class="muted">
          {'· '}
          <time dateTime={createdAt} title={createdAt}>
            {formatDateTime(createdAt)}
          </time>
          {ipAddress !== null && ` · ${ipAddress}`}
        </span>
      </span>
      {path !== null && (
        <a class="small" href={`#${path}`} aria-label={`Open ${label ?? 'it'}`}>
          Open
        </a>
      )}
    </li>
  )
}

/** Whether the media query matches now. */
function useMediaQuery(text: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(text).matches)
  useEffect(() => {
    const query = matchMedia(text)
    const update = (): void => setMatches(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [text])
  return matches
}

/** A name that shows only its entries when it is clicked. */
function Choice({ name, id, onChoose }: { name: string; id: string | null; onChoose: (subject: Subject) => void }) {
  if (id === null) return <>{name}</>
  return (
    <button type="button" class="link" title="Show only these changes" onClick={() => onChoose({ id, text: name })}>
      {name}
    </button>
  )
}
