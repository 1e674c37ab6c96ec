import { mutant, type Mutant } from './mutant.ts'

export const AUDIT_MUTANTS: readonly Mutant[] = [
  mutant('entries are lost when one of them exists', 'audit', (audit) => ({
    add: async (entries) => {
      const known = await audit.list('acme', {}, { beforeId: null, limit: 1000 })
      if (!entries.some((entry) => known.some(({ id }) => id === entry.id))) await audit.add(entries)
    }
  })),
  mutant('values of changes are lost', 'audit', (audit) => ({
    add: async (entries) =>
      await audit.add(entries.map((entry) => ({ ...entry, changes: entry.changes.map(({ field }) => ({ field })) })))
  })),
  mutant('entries are listed oldest first', 'audit', (audit) => ({
    list: async (accountId, filter, page) => (await audit.list(accountId, filter, page)).toReversed()
  })),
  ...(['actor', 'action', 'target', 'since', 'until'] as const).map((name) =>
    mutant(`the filter ${name} is ignored`, 'audit', (audit) => ({
      list: async (accountId, { [name]: _ignored, ...filter }, page) => await audit.list(accountId, filter, page)
    }))
  ),
  mutant('a page repeats the last entry of the page before', 'audit', (audit) => ({
    list: async (accountId, filter, { beforeId, limit }) =>
      await audit.list(accountId, filter, { beforeId: beforeId && `${beforeId}0`, limit })
  })),
  mutant('deleteBefore ignores the limit', 'audit', (audit) => ({
    deleteBefore: async (before) => await audit.deleteBefore(before, 1000)
  })),
  mutant('trimming deletes entries of all actions', 'audit', (audit) => ({
    trim: async (accountId, actions, keep) =>
      await audit.trim(accountId, [...actions, 'key.created', 'product.updated'], keep)
  })),
  mutant('trimming leaves one entry too many', 'audit', (audit) => ({
    trim: async (accountId, actions, keep) => await audit.trim(accountId, actions, keep + 1)
  })),
  mutant('trimming stops after the first entry', 'audit', (audit) => ({
    trim: async (accountId, actions, keep) => {
      const entries = await audit.list(accountId, {}, { beforeId: null, limit: 1000 })
      const excess = entries.filter(({ action }) => actions.includes(action)).length - keep
      return excess <= 0 ? 0 : await audit.trim(accountId, actions, keep + excess - 1)
    }
  }))
]
