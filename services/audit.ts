import { createGrowingLru } from '../lib/growing-lru.ts'
import { problem } from '../errors.ts'
import { createSharedTimeout, createYielder, runAsOwner } from '../lib/async.ts'
import { timeOfUuid7 } from '../lib/uuid7.ts'
import type { AuditRecord, Store } from '../ports/store/port.ts'
import {
  ACCESS_ACTIONS,
  CONTENT_ACTIONS,
  MAX_AUDIT_CHANGES,
  MAX_AUDIT_TEXT,
  type AuditActor,
  type AuditEntry,
  type AuditList,
  type AuditQuery
} from '../schemas/audit.ts'
import { toUtc } from '../schemas/formats.ts'
import { newId } from './ids.ts'

export interface AuditSettings {
  /** Older entries are deleted. */
  retentionDays: number
  /** Maximum number of entries of an account: of changes of content, and as many of other changes. */
  entriesPerAccount: number
}

/** A change to record. Texts are shortened. */
export type AuditEvent = Omit<AuditRecord, 'id'>

export type Audit = ReturnType<typeof createAudit>

interface Parts {
  store: Store
  settings: AuditSettings
  /** Receives entries that could not be stored, so that they are not lost without a trace. */
  onLost: (entry: AuditRecord) => void
  /** Receives errors of the store. */
  onError: (error: unknown) => void
}

/** The service itself, as an actor. */
export const SYSTEM: AuditActor = { type: 'system', id: null, name: null, prefix: null }

const DAY_MS = 86_400_000
/** Entries that no response waits for are stored together after this time. */
const FLUSH_MS = 500
/** A response waits at most this long for its entry to be stored, which then goes on in the background. */
const MAX_WAIT_MS = 1000
/** Entries that failed to be stored are stored again after this time. */
const RETRY_MS = 1000
/** Entries in one write. */
const MAX_BATCH = 500
/** Entries that wait in memory while the store cannot write. Further ones are lost. */
const MAX_WAITING = 10_000
/** The entries of an account are counted after every so many new ones, and sooner after a start. */
const TRIM_AFTER = 1000
const FIRST_TRIM_AFTER = 100
const MAX_ACCOUNTS = 10_000
/** Entries that a sweep deletes at a time. */
const SWEEP_BATCH = 500

const IS_ACCESS: ReadonlySet<string> = new Set(ACCESS_ACTIONS)

/**
 * The audit log: who changed what. Changes of access, and all changes of a store in this process, have
 * their entry before the response is sent. With a store on a server, changes of content have it within
 * half a second, so that they need no more commands. One write is in progress at a time: entries that
 * arrive meanwhile share the next one (docs/decisions/0038).
 */
export function createAudit({ store, settings, onLost, onError }: Parts) {
  let waiting: AuditRecord[] = []
  let writing: Promise<void> | null = null
  let next: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  const withTimeout = createSharedTimeout(MAX_WAIT_MS)
  /** How many more entries an account may add before it is trimmed. */
  const untilTrim = createGrowingLru<string, number>(MAX_ACCOUNTS)

  /** Stores what waits, until nothing waits or the store fails. Does not reject. */
  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      try {
        // Of all accounts, whichever began to write.
        await runAsOwner('', async () => await store.audit.add(batch))
      } catch (error) {
        onError(error)
        writeLater(RETRY_MS)
        return
      }
      waiting = waiting.slice(batch.length)
      for (const { accountId } of batch) countEntry(accountId)
    }
  }

  /** Resolves when everything that waits now was stored, or the store failed. */
  function write(): Promise<void> {
    if (writing === null) {
      writing = writeWaiting().finally(() => {
        writing = null
      })
      return writing
    }
    next ??= writing.then(() => {
      next = null
      return write()
    })
    return next
  }

  function writeLater(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null
      write().catch(onError)
    }, ms).unref()
  }

  function countEntry(accountId: string): void {
    const left = (untilTrim.get(accountId) ?? FIRST_TRIM_AFTER) - 1
    untilTrim.set(accountId, left > 0 ? left : TRIM_AFTER)
    if (left <= 0) trim(accountId).catch(onError)
  }

  async function trim(accountId: string): Promise<void> {
    for (const actions of [CONTENT_ACTIONS, ACCESS_ACTIONS]) {
      await store.audit.trim(accountId, actions, settings.entriesPerAccount)
    }
  }

  return {
    /**
     * Adds an entry. Resolves when the response may be sent, after a second at the latest. Never rejects:
     * the change was made. While the store cannot write, entries wait in memory.
     */
    async record(event: AuditEvent): Promise<void> {
      const entry = toRecord(event)
      if (waiting.length >= MAX_WAITING) return onLost(entry)
      waiting.push(entry)
      if (store.isRemote && !IS_ACCESS.has(entry.action) && waiting.length < MAX_BATCH) return writeLater(FLUSH_MS)
      // A slow store delays the response no further: the entry is stored in the background.
      await withTimeout(write()).catch(() => {})
    },

    /**
     * A page of the account's entries, newest first, with all changes that this process has answered.
     * The addresses of administrators are shown to administrators only. Throws `invalid_request` if
     * `until` is not after `since`.
     */
    async list(accountId: string, query: AuditQuery, { isAdmin }: { isAdmin: boolean }): Promise<AuditList> {
      const { pageSize, cursor = null, since, until, ...equal } = query
      const range = {
        ...(since === undefined ? {} : { since: toUtc(since) }),
        ...(until === undefined ? {} : { until: toUtc(until) })
      }
      if (range.since !== undefined && range.until !== undefined && range.since >= range.until) {
        throw problem('invalid_request', '`until` must be after `since`.', {
          errors: [{ pointer: 'until', code: 'range', message: 'must be after `since`' }]
        })
      }
      if (waiting.length > 0) await withTimeout(write()).catch(() => {})
      const page = { beforeId: cursor, limit: pageSize + 1 }
      const found = await store.audit.list(accountId, { ...equal, ...range }, page)
      const entries = found.slice(0, pageSize).map((entry) => toResponse(entry, isAdmin))
      return { entries, nextCursor: found.length > pageSize ? entries.at(-1)!.id : null }
    },

    /** Deletes expired entries of all accounts. Ends early when the signal aborts. */
    async sweep(signal: AbortSignal): Promise<void> {
      const before = new Date(Date.now() - settings.retentionDays * DAY_MS).toISOString()
      const pause = createYielder()
      while (!signal.aborted && (await store.audit.deleteBefore(before, SWEEP_BATCH)) === SWEEP_BATCH) await pause()
    },

    /** Stores what waits. Call it at shutdown: what cannot be stored is reported as lost. */
    async flush(): Promise<void> {
      await write()
      if (timer !== null) clearTimeout(timer)
      timer = null
      for (const entry of waiting) onLost(entry)
      waiting = []
    }
  }
}

function toRecord({ actor, target, changes, ...event }: AuditEvent): AuditRecord {
  return {
    ...event,
    id: newId(),
    actor: { ...actor, name: shorten(actor.name) },
    target: { ...target, label: shorten(target.label) },
    changes: changes.slice(0, MAX_AUDIT_CHANGES).map(({ field, to }) => ({
      field: shorten(field)!,
      ...(to === undefined ? {} : { to: typeof to === 'string' ? shorten(to) : to })
    }))
  }
}

function toResponse({ accountId: _account, ...entry }: AuditRecord, isAdmin: boolean): AuditEntry {
  const isHidden = entry.actor.type === 'admin' && !isAdmin
  return {
    ...entry,
    createdAt: new Date(timeOfUuid7(entry.id)).toISOString(),
    ipAddress: isHidden ? null : entry.ipAddress
  }
}

/** The text within the limit, without cutting a character in half. */
function shorten(text: string | null): string | null {
  if (text === null || text.length <= MAX_AUDIT_TEXT) return text
  return `${text
    .slice(0, MAX_AUDIT_TEXT - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
