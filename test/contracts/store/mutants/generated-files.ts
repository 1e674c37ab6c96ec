import type { GeneratedFileStore, Store } from '../../../../ports/store/port.ts'
import { mutant as createMutant, type Mutant } from './mutant.ts'

const mutant = (
  title: string,
  broken: (files: GeneratedFileStore, store: Store) => Partial<GeneratedFileStore>
): Mutant => createMutant(title, 'generatedFiles', broken)
const ALL = { before: '~', limit: 1000 }

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
  mutant('the oldest files are returned newest first', (files) => ({
    oldest: async (...query) => (await files.oldest(...query)).toReversed()
  })),
  mutant('oldest ignores the limit', (files) => ({
    oldest: async (accountId, kind, { before }) => await files.oldest(accountId, kind, { ...ALL, before })
  })),
  mutant('oldest ignores the id', (files) => ({
    oldest: async (accountId, kind, { limit }) => await files.oldest(accountId, kind, { ...ALL, limit })
  })),
  mutant('oldest includes the id', (files) => ({
    oldest: async (accountId, kind, { before, limit }) =>
      await files.oldest(accountId, kind, { before: before === '' ? before : `${before}0`, limit })
  })),
  mutant('findFitting ignores the bytes', () => ({ findFitting: async () => ALL.before })),
  mutant('findFitting rejects a file that just fits', (files) => ({
    findFitting: async (accountId, kind, maxBytes) => await files.findFitting(accountId, kind, maxBytes - 1)
  })),
  mutant('files of another kind are returned', (files) => ({
    oldest: async (accountId, kind, query) => [
      ...(await files.oldest(accountId, kind, query)),
      ...(await files.oldest(accountId, kind === 'screenshot' ? 'image-size' : 'screenshot', query))
    ]
  })),
  mutant('files of another account are returned', (files) => ({
    oldest: async (accountId, kind, query) => [
      ...(await files.oldest(accountId, kind, query)),
      ...(await files.oldest(accountId === 'zeta' ? 'acme' : 'zeta', kind, query))
    ]
  })),
  mutant('a small file fits although a newer one does not', (files) => ({
    findFitting: async (accountId, kind, maxBytes) =>
      maxBytes === 500
        ? ((await files.oldest(accountId, kind, { before: '~', limit: 2 }))[1]?.id ?? '')
        : await files.findFitting(accountId, kind, maxBytes)
  })),
  mutant('delete ignores that a record was replaced', (files) => ({
    delete: async (removed) => {
      await files.delete(removed)
      const now = await files.oldest('acme', 'image-size', ALL)
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
