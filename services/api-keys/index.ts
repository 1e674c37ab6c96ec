import { problem } from '../../errors.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { ApiKeyRecord, Store } from '../../ports/store/port.ts'
import {
  DEFAULT_SCOPES,
  MAX_ACTIVE_KEYS,
  MAX_KEYS,
  type ApiKey,
  type ApiKeyInput,
  type ApiKeyPatch
} from '../../schemas/api-key.ts'
import { toUtc } from '../../schemas/formats.ts'
import { newOperation, type Operation } from '../ids.ts'
import { hashKey, generateKey, displayParts } from './key-format.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

/**
 * API keys of an account. Every change is committed to the store, then increments the account's key
 * epoch, then returns: a later request in any process sees the new state.
 */
export function createApiKeys({ store, limits, brand }: { store: Store; limits: Limits; brand: string }) {
  const changed = (accountId: string) => limits.bumpEpoch(accountId, 'keys')

  function freshValue() {
    const key = generateKey(brand)
    return { key, stored: { hash: hashKey(key), ...displayParts(key, brand) } }
  }

  async function known(accountId: string, id: string): Promise<ApiKeyRecord> {
    const key = await store.apiKeys.find(accountId, id)
    if (key === null) throw problem('key_not_found', `There is no key ${id} in this account.`)
    return key
  }

  /**
   * Replaces the value of a key; the old one is invalid when this returns. Throws
   * `rotation_conflict` when another rotation was faster.
   */
  async function rotate(accountId: string, id: string): Promise<ApiKey & { key: string }> {
    const { generation } = await known(accountId, id)
    // Checked before anything changes, because the new value is shown only once: without a working
    // epoch the rotation must not happen.
    await limits.ping()
    const { key, stored } = freshValue()
    const record = await store.apiKeys.rotate(
      { accountId, id, generation },
      { ...stored, at: new Date().toISOString() }
    )
    if (record === null) {
      throw problem('rotation_conflict', 'The key was rotated or deleted concurrently. This rotation changed nothing.')
    }
    await changed(accountId)
    return { ...toApiKeyResponse(record), key }
  }

  return {
    /**
     * Creates a key and returns its value, which is shown only once. A retry replaces the value of
     * the key that an earlier attempt created, because nobody has received that value. Throws
     * `too_many_keys` above 25 active keys, or 200 keys in all.
     */
    async create(
      accountId: string,
      input: ApiKeyInput,
      { id, isRetry }: Operation = newOperation()
    ): Promise<ApiKey & { key: string }> {
      if (isRetry && (await store.apiKeys.find(accountId, id)) !== null) return await rotate(accountId, id)
      // Lists and checks of keys read all of them.
      if ((await store.apiKeys.list(accountId)).length >= MAX_KEYS) {
        throw problem('too_many_keys', `An account may have at most ${MAX_KEYS} keys. Delete one that is not needed.`)
      }
      const now = new Date().toISOString()
      const { key, stored } = freshValue()
      const record: ApiKeyRecord = {
        id,
        accountId,
        name: input.name.trim(),
        ...stored,
        scopes: input.scopes ?? [...DEFAULT_SCOPES],
        projectIds: input.projectIds ?? null,
        disabled: false,
        generation: 1,
        createdAt: now,
        updatedAt: now,
        expiresAt: futureTime(input.expiresAt),
        lastUsedAt: null
      }
      // A new key is in no cache, so the epoch need not change. A failed increment would lose the key's
      // value.
      if (!(await store.apiKeys.add(record, MAX_ACTIVE_KEYS))) throw tooManyKeys()
      return { ...toApiKeyResponse(record), key }
    },

    async list(accountId: string): Promise<ApiKey[]> {
      return (await store.apiKeys.list(accountId)).map(toApiKeyResponse)
    },

    rotate,

    async update(accountId: string, id: string, patch: ApiKeyPatch): Promise<ApiKey> {
      const change = {
        ...patch,
        ...(patch.name === undefined ? {} : { name: patch.name.trim() }),
        ...(patch.expiresAt === undefined ? {} : { expiresAt: futureTime(patch.expiresAt) }),
        updatedAt: new Date().toISOString()
      }
      const record = await store.apiKeys.update({ accountId, id }, change, MAX_ACTIVE_KEYS)
      if (record === 'too_many') throw tooManyKeys()
      if (record === null) throw problem('key_not_found', `There is no key ${id} in this account.`)
      await changed(accountId)
      return toApiKeyResponse(record)
    },

    /** Returns the deleted key. */
    async remove(accountId: string, id: string): Promise<ApiKey> {
      const key = await store.apiKeys.find(accountId, id)
      const removed = await store.apiKeys.delete(accountId, id)
      // Also when the key is gone already: the caller may retry because this step failed the first time.
      await changed(accountId)
      if (!removed || key === null) throw problem('key_not_found', `There is no key ${id} in this account.`)
      return toApiKeyResponse(key)
    }
  }
}

const tooManyKeys = () =>
  problem('too_many_keys', `An account may have at most ${MAX_ACTIVE_KEYS} active keys. Disable or delete one first.`)

function futureTime(time: string | null | undefined): string | null {
  if (time === undefined || time === null) return null
  const utc = toUtc(time)
  if (Date.parse(utc) > Date.now()) return utc
  throw problem('invalid_request', 'expiresAt must be in the future.', {
    errors: [
      {
        pointer: '/expiresAt',
        code: 'past',
        message: 'must be in the future; leave it out for a key that does not expire'
      }
    ]
  })
}

function toApiKeyResponse(key: ApiKeyRecord): ApiKey {
  const { accountId: _account, hash: _hash, disabled, ...rest } = key
  const expired = key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now()
  return { ...rest, status: disabled ? 'disabled' : expired ? 'expired' : 'active' }
}
