import type { AccountRecord, ApiKeyRecord, ProjectRecord, TransferRecord } from '../../port.ts'
import { createApiKeys, keyCollection, type KeyDocument } from '../api-keys.ts'
import type { Database } from '../database.ts'
import { compoundId } from '../documents.ts'
import { claimCollection, toClaimDocument, toClaimRecord, type ClaimDocument } from '../idempotency.ts'
import { createDocumentHandler, type InsertOutcome, type TransferHandlers } from './handler.ts'

type ClaimRecord = TransferRecord<'idempotency'>
type UsageRecord = TransferRecord<'usage'>
type WithId<Item> = Item & { _id: string }

const withoutId = <Item extends object>({ _id, ...record }: WithId<Item>): Item => record as unknown as Item

/** Transfers accounts with their projects, API keys, idempotency keys and usage. */
export function createAccountHandlers(
  database: Database
): Pick<TransferHandlers, 'account' | 'project' | 'apiKey' | 'idempotency' | 'usage'> {
  const keys = createApiKeys(database)
  const keyHandler = createDocumentHandler<ApiKeyRecord, KeyDocument>({
    collection: keyCollection(database),
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: (key) => ({ _id: key.id, ...key, slotId: null, revision: 1 }),
    toRecord: ({ _id, slotId, revision, ...key }) => key,
    existingFilters: (records) => [
      { _id: { $in: records.map(({ id }) => id) } },
      { hash: { $in: records.map(({ hash }) => hash) } }
    ],
    collides: (stored, { id, hash }) => stored.id === id || stored.hash === hash
  })

  return {
    account: createDocumentHandler<AccountRecord, WithId<AccountRecord>>({
      collection: database.collection('accounts'),
      order: ['_id'],
      label: ({ id }) => [id],
      toDocument: (account) => ({ _id: account.id, ...account }),
      toRecord: withoutId
    }),
    project: createDocumentHandler<ProjectRecord, WithId<ProjectRecord>>({
      collection: database.collection('projects'),
      order: ['accountId', 'id'],
      label: ({ accountId, id }) => [accountId, id],
      toDocument: (project) => ({ _id: compoundId(project.accountId, project.id), ...project }),
      toRecord: withoutId
    }),
    apiKey: {
      label: keyHandler.label,
      page: keyHandler.page,
      findExisting: keyHandler.findExisting,
      // Active keys take a slot, as with `add`.
      insert: async (records) => {
        const outcomes: InsertOutcome[] = []
        for (const key of records) outcomes.push((await keys.add(key, Infinity)) ? 'added' : 'conflict')
        return outcomes
      }
    },
    idempotency: createDocumentHandler<ClaimRecord, ClaimDocument>({
      collection: claimCollection(database),
      order: ['_id'],
      label: ({ scope }) => [scope],
      toDocument: toClaimDocument,
      toRecord: toClaimRecord
    }),
    usage: createDocumentHandler<UsageRecord, WithId<UsageRecord>>({
      collection: database.collection('usage'),
      order: ['accountId', 'hour'],
      label: ({ accountId, hour }) => [accountId, hour],
      toDocument: (usage) => ({ _id: compoundId(usage.accountId, usage.hour), ...usage }),
      toRecord: withoutId
    })
  }
}
