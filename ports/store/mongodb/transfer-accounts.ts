import type { AccountRecord, ApiKeyRecord, ProjectRecord, StoredResponse, TransferRecord } from '../port.ts'
import type { Database } from './database.ts'
import { createKeys } from './keys.ts'
import { keysOf, type KeyDocument } from './keys-documents.ts'
import { compoundId } from './records-changed.ts'
import { documentMover, type Inserted, type Movers } from './transfer-mover.ts'

type Claim = TransferRecord<'idempotency'>
type Usage = TransferRecord<'usage'>
type Kept<Moved> = Moved & { _id: string }
interface ClaimDocument extends Omit<Claim, 'scope' | 'answer'> {
  _id: string
  answer: (Omit<StoredResponse, 'headers'> & { headers: [string, string][] }) | null
}

const withoutId = <Moved extends object>({ _id, ...record }: Kept<Moved>): Moved => record as unknown as Moved

/** Moves accounts and what belongs to them alone. */
export function createAccountMovers(
  database: Database
): Pick<Movers, 'account' | 'project' | 'apiKey' | 'idempotency' | 'usage'> {
  const keys = createKeys(database)
  const ofKeys = documentMover<ApiKeyRecord, KeyDocument>({
    collection: keysOf(database),
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf: (key) => ({ _id: key.id, ...key, seat: null, revision: 1 }),
    recordOf: ({ _id, seat, revision, ...key }) => key,
    places: (records) => [
      { _id: { $in: records.map(({ id }) => id) } },
      { hash: { $in: records.map(({ hash }) => hash) } }
    ],
    concerns: (found, { id, hash }) => found.id === id || found.hash === hash
  })

  return {
    account: documentMover<AccountRecord, Kept<AccountRecord>>({
      collection: database.collection('accounts'),
      order: ['_id'],
      name: ({ id }) => [id],
      documentOf: (account) => ({ _id: account.id, ...account }),
      recordOf: withoutId
    }),
    project: documentMover<ProjectRecord, Kept<ProjectRecord>>({
      collection: database.collection('projects'),
      order: ['accountId', 'id'],
      name: ({ accountId, id }) => [accountId, id],
      documentOf: (project) => ({ _id: compoundId(project.accountId, project.id), ...project }),
      recordOf: withoutId
    }),
    apiKey: {
      ...ofKeys,
      // As when it was made: an active key has a seat.
      insert: async (records) => {
        const outcomes: Inserted[] = []
        for (const key of records) outcomes.push((await keys.add(key, Infinity)) ? 'added' : 'conflict')
        return outcomes
      }
    },
    idempotency: documentMover<Claim, ClaimDocument>({
      collection: database.collection('idempotency'),
      order: ['_id'],
      name: ({ scope }) => [scope],
      documentOf: ({ scope, answer, ...claim }) => ({
        _id: scope,
        ...claim,
        answer: answer === null ? null : { ...answer, headers: Object.entries(answer.headers) }
      }),
      recordOf: ({ _id, bodyHash, claimedAt, expiresAt, answer }) => ({
        scope: _id,
        bodyHash,
        claimedAt,
        expiresAt,
        answer: answer === null ? null : { ...answer, headers: Object.fromEntries(answer.headers) }
      })
    }),
    usage: documentMover<Usage, Kept<Usage>>({
      collection: database.collection('usage'),
      order: ['accountId', 'hour'],
      name: ({ accountId, hour }) => [accountId, hour],
      documentOf: (usage) => ({ _id: compoundId(usage.accountId, usage.hour), ...usage }),
      recordOf: withoutId
    })
  }
}
