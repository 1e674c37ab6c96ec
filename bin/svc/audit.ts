import type { AuditChange, AuditEntry, AuditList } from '../../schemas/audit.ts'
import type { AdminClient } from './admin-client.ts'
import { stringOption, timeOption, UsageError, type OptionValues, type RunCommand } from './command.ts'

const DEFAULT_LIMIT = 50
/** The largest page of the API. */
const PAGE_SIZE = 100
const FILTERS = ['actor', 'action', 'target', 'since', 'until'] as const

export const audit: RunCommand = async ({ options, adminClient, print }) => {
  const limit = limitOption(options)
  const entries = await readEntries(await adminClient(), options, limit)
  print({ entries }, entries.length === 0 ? ['No entries.'] : entries.map(format))
  return 0
}

function limitOption(options: OptionValues): number {
  const value = stringOption(options, 'limit', String(DEFAULT_LIMIT))
  if (value === 'all') return Infinity
  if (!/^[1-9]\d*$/.test(value)) throw new UsageError('--limit must be a whole number above 0, or "all".')
  return Number(value)
}

/** The newest entries that match the options, page by page. */
async function readEntries({ call }: AdminClient, options: OptionValues, limit: number): Promise<AuditEntry[]> {
  const query = new URLSearchParams()
  for (const name of FILTERS) {
    const value = name === 'since' || name === 'until' ? timeOption(options, name) : stringOption(options, name)
    if (value !== undefined) query.set(name, value)
  }
  const account = stringOption(options, 'account', 'demo')
  const entries: AuditEntry[] = []
  while (entries.length < limit) {
    query.set('pageSize', String(Math.min(PAGE_SIZE, limit - entries.length)))
    const page = await call<AuditList>('GET', `/api/audit?${query.toString()}`, { account })
    entries.push(...page.entries)
    if (page.nextCursor === null) break
    query.set('cursor', page.nextCursor)
  }
  return entries
}

function format({ createdAt, actor, action, target, changes, ipAddress }: AuditEntry): string {
  const who = [actor.type, actor.name ?? actor.id ?? '', actor.prefix ?? ''].filter((part) => part !== '').join(' ')
  const what = [target.type, target.label ?? target.id ?? ''].filter((part) => part !== '').join(' ')
  const how = changes.map(formatChange).join(', ')
  return [createdAt, action.padEnd(24), what, how === '' ? '' : `(${how})`, `by ${who}`, ipAddress ?? '']
    .filter((part) => part !== '')
    .join('  ')
}

const formatChange = ({ field, to }: AuditChange): string => (to === undefined ? field : `${field}: ${String(to)}`)
