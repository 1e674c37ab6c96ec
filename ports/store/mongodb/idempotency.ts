import { BSON } from 'mongodb'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type {
  IdempotencyClaim,
  IdempotencyClaimResult,
  IdempotencyStore,
  StoredResponse,
  TransferRecord
} from '../port.ts'
import { commandSizesOf } from './command-sizes.ts'
import type { Database } from './database.ts'
import { REPLY_SIZE } from './slices.ts'

type ClaimRecord = TransferRecord<'idempotency'>

/** A claim as it is stored; its `_id` is the scope. */
export interface ClaimDocument extends Omit<ClaimRecord, 'scope' | 'answer' | 'operationId'> {
  _id: string
  /** Missing in claims of a version without operation ids. */
  operationId?: string | null
  answer: ResponseDocument | null
}

/** Older than any other claim, and therefore stale. */
const RELEASED = ''

/** A response always has a status, which tells it from a claim without one. The index `sizes` has these fields. */
const HAS_SIZE = { $gt: ['$answer.bytes', null] }
const LACKS_SIZE = { $and: [{ $gt: ['$answer.status', null] }, { $not: [HAS_SIZE] }] }

/** Headers are stored as pairs, because header names may be invalid as MongoDB field names. */
type ResponseDocument = Omit<StoredResponse, 'headers'> & {
  headers: [string, string][]
  /** Of this document without this field, for storage quotas. Missing in responses of a version without it. */
  bytes?: number
}

export const claimCollection = (database: Database) => database.collection<ClaimDocument>('idempotency_keys')

export const toClaimDocument = ({ scope, answer, operationId, ...claim }: ClaimRecord): ClaimDocument => ({
  _id: scope,
  ...claim,
  operationId: operationId ?? null,
  answer: answer === null ? null : toResponseDocument(answer)
})

export const toClaimRecord = ({
  _id,
  bodyHash,
  claimedAt,
  expiresAt,
  operationId = null,
  answer
}: ClaimDocument): ClaimRecord => ({
  scope: _id,
  bodyHash,
  claimedAt,
  expiresAt,
  operationId,
  answer: answer === null ? null : toStoredResponse(answer)
})

function toResponseDocument({ status, headers, body }: StoredResponse): ResponseDocument {
  const document = { status, headers: Object.entries(headers), body }
  return { ...document, bytes: BSON.calculateObjectSize(document) }
}

const toStoredResponse = ({ status, headers, body }: ResponseDocument): StoredResponse => ({
  status,
  headers: Object.fromEntries(headers),
  body
})

/** Requests that carried an Idempotency-Key, and their responses. */
export function createIdempotency(database: Database): IdempotencyStore {
  const claims = claimCollection(database)

  /** Continues an abandoned or released request. Null when there is none with this body. */
  async function continueClaim(claim: IdempotencyClaim): Promise<IdempotencyClaimResult | null> {
    const { scope, bodyHash, at, expiresAt, staleBefore } = claim
    const found = await claims.findOneAndUpdate(
      {
        _id: scope,
        bodyHash,
        answer: null,
        operationId: { $type: 'string' },
        claimedAt: { $lt: staleBefore },
        expiresAt: { $gt: at }
      },
      { $set: { claimedAt: at, expiresAt } }
    )
    return found === null ? null : { state: 'claimed', operationId: found.operationId!, isRetry: true }
  }

  /**
   * Claims a key that is free, expired, or abandoned by a request with another body. Null when
   * another request holds it.
   */
  async function startClaim(claim: IdempotencyClaim): Promise<IdempotencyClaimResult | null> {
    const { scope, bodyHash, operationId, at, expiresAt, staleBefore } = claim
    const abandoned = { answer: null, claimedAt: { $lt: staleBefore } }
    try {
      await claims.updateOne(
        {
          _id: scope,
          $or: [
            { expiresAt: { $lte: at } },
            { ...abandoned, bodyHash: { $ne: bodyHash } },
            { ...abandoned, operationId: null }
          ]
        },
        { $set: { bodyHash, claimedAt: at, expiresAt, operationId, answer: null } },
        { upsert: true }
      )
      return { state: 'claimed', operationId, isRetry: false }
    } catch (error) {
      if (isDuplicateKey(error)) return null
      throw error
    }
  }

  /** The state of a claimed key. Null when the key was released meanwhile. */
  async function readState({ scope, bodyHash }: IdempotencyClaim): Promise<IdempotencyClaimResult | null> {
    // A response may have megabytes, so it is only read to be sent.
    const answer = { $cond: [{ $eq: ['$bodyHash', bodyHash] }, '$answer', null] }
    const found = await claims.findOne({ _id: scope }, { projection: { bodyHash: 1, answer } })
    if (found === null) return null
    if (found.bodyHash !== bodyHash) return { state: 'reused' }
    if (found.answer === null) return { state: 'running' }
    return { state: 'answered', response: toStoredResponse(found.answer) }
  }

  return {
    claim: (claim) =>
      database.run(async () => {
        for (;;) {
          const state = (await continueClaim(claim)) ?? (await startClaim(claim)) ?? (await readState(claim))
          if (state !== null) return state
        }
      }),
    complete: async (scope, response) => {
      await database.run(() => claims.updateOne({ _id: scope }, { $set: { answer: toResponseDocument(response) } }))
    },
    // A stored response stays: another request took over this claim after it went stale.
    release: async (scope) => {
      await database.run(() => claims.updateOne({ _id: scope, answer: null }, { $set: { claimedAt: RELEASED } }))
    },
    deleteExpired: (now) =>
      database.run(async () => {
        const sizes = commandSizesOf(database, 'idempotency_keys')
        for (let deleted = 0; ; ) {
          const limit = sizes.size()
          const found = await claims
            .find(
              { expiresAt: { $lt: now } },
              { projection: { _id: 0, expiresAt: 1 }, sort: { expiresAt: 1 }, limit, batchSize: REPLY_SIZE }
            )
            .toArray()
          const last = found.at(-1)
          if (last === undefined) return deleted
          // By their times, which the index has: responses are large. A claim that is made again expires later.
          const expired = { expiresAt: { $lte: last.expiresAt } }
          deleted += await sizes.measure(found.length, async () => (await claims.deleteMany(expired)).deletedCount)
          if (found.length < limit) return deleted
        }
      })
  }
}

/** The bytes of the responses that are stored for an account, whose scopes begin with its id. */
export async function addUpResponses(database: Database, accountId: string): Promise<number> {
  const claims = claimCollection(database)
  const ofAccount = { _id: { $gte: `${accountId} `, $lt: `${accountId}!` } }
  const [found] = await claims
    .aggregate<{ bytes: number; unsized: number }>([
      { $match: ofAccount },
      {
        $group: {
          _id: null,
          bytes: { $sum: '$answer.bytes' },
          unsized: { $sum: { $cond: [LACKS_SIZE, 1, 0] } }
        }
      }
    ])
    .toArray()
  const bytes = Number(found?.bytes ?? 0)
  if (found === undefined || found.unsized === 0) return bytes
  // Processes of the previous version have stored these. The last one expires a day after the last such process.
  const [unsized] = await claims
    .aggregate<{ bytes: number }>([
      { $match: { ...ofAccount, 'answer.status': { $gt: 0 }, 'answer.bytes': null } },
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$answer' } } } }
    ])
    .toArray()
  return bytes + Number(unsized?.bytes ?? 0)
}
