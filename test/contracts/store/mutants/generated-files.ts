import type { GeneratedFileStore, Store } from '../../../../ports/store/port.ts'
import { mutant as createMutant, type Mutant } from './mutant.ts'

const mutant = (
  title: string,
  broken: (files: GeneratedFileStore, store: Store) => Partial<GeneratedFileStore>
): Mutant => createMutant(title, 'generatedFiles', broken)
const ALL = { maxBytes: 0, limit: 1000 }

export const GENERATED_FILE_MUTANTS: readonly Mutant[] = [
  mutant('put keeps the record before', (files) => {
    const known = new Set<string>()
    return {
      put: async (file) => {
        if (!known.has(file.key)) await files.put(file)
        known.add(file.key)
      }
    }
  }),
  mutant('put changes the id only', (files) => {
    const bytes = new Map<string, number>()
    return {
      put: async (file) => {
        bytes.set(file.key, bytes.get(file.key) ?? file.bytes)
        await files.put({ ...file, bytes: bytes.get(file.key)! })
      }
    }
  }),
  mutant('exceeding returns the newest first', (files) => ({
    exceeding: async (...query) => (await files.exceeding(...query)).toReversed()
  })),
  mutant('exceeding ignores the bytes', (files) => ({
    exceeding: async (accountId, kind, { limit }) => await files.exceeding(accountId, kind, { maxBytes: 0, limit })
  })),
  mutant('exceeding ignores the limit', (files) => ({
    exceeding: async (accountId, kind, { maxBytes }) => await files.exceeding(accountId, kind, { ...ALL, maxBytes })
  })),
  mutant('exceeding rejects a file that just fits', (files) => ({
    exceeding: async (accountId, kind, { maxBytes, limit }) =>
      await files.exceeding(accountId, kind, { maxBytes: maxBytes - 1, limit })
  })),
  mutant('exceeding ignores the kind', (files) => ({
    exceeding: async (accountId, kind, query) => [
      ...(await files.exceeding(accountId, kind, query)),
      ...(await files.exceeding(accountId, kind === 'screenshot' ? 'image-size' : 'screenshot', query))
    ]
  })),
  mutant('exceeding ignores the account', (files) => ({
    exceeding: async (accountId, kind, query) => [
      ...(await files.exceeding(accountId, kind, query)),
      ...(await files.exceeding(accountId === 'zeta' ? 'acme' : 'zeta', kind, query))
    ]
  })),
  mutant('a small file stays although a newer one does not fit', (files) => ({
    exceeding: async (accountId, kind, query) => {
      const found = await files.exceeding(accountId, kind, query)
      return query.maxBytes === 500 ? found.slice(1) : found
    }
  })),
  mutant('delete ignores that a record was replaced', (files) => ({
    delete: async (removed) => {
      await files.delete(removed)
      const now = await files.exceeding('acme', 'image-size', ALL)
      await files.delete(now.filter(({ key }) => removed.some((file) => file.key === key)))
    }
  })),
  mutant('deleteAll includes names that begin with the prefix', (files) => ({
    deleteAll: async (prefix) => {
      await files.deleteAll(prefix)
      await files.deleteAll(`${prefix}-b`)
    }
  })),
  mutant('deleteAll deletes nothing', () => ({ deleteAll: async () => {} }))
]
