import { problem } from '../errors.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { AccountRecord, Store } from '../ports/store/port.ts'
import {
  FEATURES,
  PLANS,
  type Account,
  type AccountAdminPatch,
  type AccountPatch,
  type Plan
} from '../schemas/account.ts'
import { storageLimits, type StorageQuota } from './storage.ts'

export type Accounts = ReturnType<typeof createAccounts>

/** The hourly request limit: the account's own, or that of its plan. */
export const hourlyLimit = (account: AccountRecord): number => account.requestsPerHour ?? PLANS[account.plan]

interface Parts {
  store: Store
  limits: Limits
  storageQuota: StorageQuota
  defaultPlan: Plan
}

/**
 * Accounts own all other resources. Every update increments the account's key epoch, because cached
 * API keys depend on the account too.
 */
export function createAccounts({ store, limits, storageQuota, defaultPlan }: Parts) {
  async function getRecord(id: string): Promise<AccountRecord> {
    const account = await store.accounts.find(id)
    if (account === null) throw notFound(id)
    return account
  }

  return {
    /**
     * Returns the account; creates it with the default plan and all features if it does not exist.
     */
    async ensure(id: string): Promise<AccountRecord> {
      return (
        (await store.accounts.find(id)) ??
        (await store.accounts.insertIfAbsent({
          id,
          plan: defaultPlan,
          requestsPerHour: null,
          features: [...FEATURES],
          knownProjectsOnly: false,
          createdAt: new Date().toISOString()
        }))
      )
    },

    getRecord,

    async get(id: string): Promise<Account> {
      return toAccountResponse(await getRecord(id))
    },

    async update(id: string, patch: AccountPatch | AccountAdminPatch): Promise<Account> {
      const storage = 'storage' in patch ? { ...(await getRecord(id)).storage, ...patch.storage } : undefined
      const account = await store.accounts.update(id, { ...patch, ...(storage === undefined ? {} : { storage }) })
      if (account === null) throw notFound(id)
      storageQuota.forget(id)
      await limits.bumpEpoch(id, 'keys')
      return toAccountResponse(account)
    }
  }
}

const notFound = (id: string) =>
  problem(
    'account_not_found',
    `There is no account "${id}". An account is created with its first API key or session token.`
  )

function toAccountResponse(account: AccountRecord): Account {
  const { countNotModified = true } = account
  return { ...account, requestsPerHour: hourlyLimit(account), storage: storageLimits(account), countNotModified }
}
