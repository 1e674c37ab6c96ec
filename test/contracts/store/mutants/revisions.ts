import { mutant, type Mutant } from './mutant.ts'

export const REVISION_MUTANTS: readonly Mutant[] = [
  mutant('put never deletes', 'blogRevisions', (revisions) => ({
    put: async (revision) => await revisions.put(revision, 500)
  })),
  mutant('put deletes one too many', 'blogRevisions', (revisions) => ({
    put: async (revision, keep) => await revisions.put(revision, Math.max(0, keep - 1))
  })),
  mutant('put replaces a later version', 'blogRevisions', (revisions) => ({
    put: async (revision, keep) => {
      const found = await revisions.find(revision.accountId, revision.blogId, revision.number)
      await revisions.put({ ...revision, replacedVersion: (found?.replacedVersion ?? 0) + 1 }, keep)
    }
  })),
  mutant('put replaces nothing', 'blogRevisions', (revisions) => ({
    put: async (revision, keep) => {
      const found = await revisions.find(revision.accountId, revision.blogId, revision.number)
      await revisions.put(found ?? revision, keep)
    }
  })),
  mutant('list ignores its beginning', 'blogRevisions', (revisions) => ({
    list: async (accountId, id, { before }) => await revisions.list(accountId, id, { from: 1, before })
  })),
  mutant('list includes its end', 'blogRevisions', (revisions) => ({
    list: async (accountId, id, { from, before }) => await revisions.list(accountId, id, { from, before: before + 1 })
  })),
  mutant('list returns the oldest first', 'blogRevisions', (revisions) => ({
    list: async (...range) => (await revisions.list(...range)).reverse()
  })),
  mutant('list contains the content', 'blogRevisions', (revisions) => ({
    list: async (accountId, id, range) =>
      await Promise.all(
        (await revisions.list(accountId, id, range)).map(
          async ({ number }) => (await revisions.find(accountId, id, number))!
        )
      )
  })),
  mutant('find ignores the account', 'blogRevisions', (revisions, store) => ({
    find: async (_accountId, id, number) =>
      await revisions.find((await store.blogs.findMetadataById(id))?.accountId ?? '', id, number)
  })),
  mutant('bytes become text', 'blogRevisions', (revisions) => ({
    find: async (...key) => {
      const found = await revisions.find(...key)
      return found && { ...found, content: Buffer.from(found.content.toString()) }
    }
  }))
]
