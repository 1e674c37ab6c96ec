import { mutant, type Mutant } from './mutant.ts'

export const RELATED_INDEX_MUTANTS: Mutant[] = [
  mutant('put does not remove', 'relatedIndex', (index) => ({
    put: async (accountId, { put }) => await index.put(accountId, { put, remove: [] })
  })),
  mutant('put forgets the neighbors of a changed entry', 'relatedIndex', (index) => ({
    put: async (accountId, { put, remove }) => {
      await index.put(accountId, { put: [], remove: [...remove, ...put.map(({ id }) => id)] })
      await index.put(accountId, { put, remove: [] })
    }
  })),
  mutant('find ignores the account', 'relatedIndex', (index) => ({
    find: async (_accountId, ids) => await index.find('acme', ids)
  })),
  mutant('findNeighbors ignores the account', 'relatedIndex', (index) => ({
    findNeighbors: async (_accountId, ids) => await index.findNeighbors('acme', ids)
  })),
  mutant('saveNeighbors keeps the length', 'relatedIndex', (index) => ({
    saveNeighbors: async (accountId, entries) =>
      await index.saveNeighbors(
        accountId,
        entries.map((entry) => ({ ...entry, length: 0 }))
      )
  })),
  mutant('saveNeighbors keeps the order of computation', 'relatedIndex', (index) => ({
    saveNeighbors: async (accountId, entries) =>
      await index.saveNeighbors(
        accountId,
        entries.map((entry) => ({ ...entry, computedAt: 4 }))
      )
  })),
  mutant('countTerms ignores the language', 'relatedIndex', (index) => ({
    countTerms: async (group, terms) => await index.countTerms({ ...group, language: 'en' }, terms)
  })),
  mutant('candidates ignores the limit', 'relatedIndex', (index) => ({
    candidates: async (group, { terms }) => await index.candidates(group, { terms, limit: 1000 })
  })),
  mutant('candidates searches the first term only', 'relatedIndex', (index) => ({
    candidates: async (group, { terms, limit }) => await index.candidates(group, { terms: terms.slice(0, 1), limit })
  })),
  mutant('outdated lists the newest first', 'relatedIndex', (index) => ({
    outdated: async (group, query) => (await index.outdated(group, query)).reverse()
  })),
  mutant('outdated includes its end', 'relatedIndex', (index) => ({
    outdated: async (group, { before, limit }) => await index.outdated(group, { before: before + 1, limit })
  })),
  mutant('finish ignores later changes', 'relatedIndex', (index) => ({
    finish: async (group) => await index.finish(group, 1_000_000)
  })),
  mutant('pendingGroups ignores the limit', 'relatedIndex', (index) => ({
    pendingGroups: async (accountId) => await index.pendingGroups(accountId, 1000)
  })),
  mutant('clear keeps the entries', 'relatedIndex', (index) => ({
    clear: async (accountId) => await index.setState(accountId, { version: 0, isComplete: false, afterId: null })
  })),
  mutant('clear includes accounts whose id begins with that of the account', 'relatedIndex', (index) => ({
    clear: async (accountId) => {
      await index.clear(accountId)
      await index.clear(`${accountId}-2`)
    }
  })),
  mutant('state is not stored', 'relatedIndex', () => ({ setState: async () => {} }))
]
