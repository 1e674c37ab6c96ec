import { createGrowingLru } from '../lib/growing-lru.ts'
import type { ProjectRecord, Store } from '../ports/store/port.ts'

export type ProjectCache = ReturnType<typeof createProjectCache>

interface Entry {
  project: ProjectRecord
  /** The account's key epoch, read before the project was loaded. */
  epoch: number
  loadedAtMs: number
}

const MAX_PROJECTS = 10_000
/**
 * Maximum age of an entry. A process that crashes between a change and the epoch bump leaves stale
 * entries behind in other processes; this bounds for how long.
 */
const MAX_AGE_MS = 60_000

/**
 * Settings of projects in memory, for reads. An entry is valid while the key epoch of the account
 * equals the one read before the project was loaded: a change of a project is committed, then the
 * epoch is raised, then the change is acknowledged. A missing project is not cached, so that creating
 * one needs no epoch.
 */
export function createProjectCache({ store }: { store: Store }) {
  const cache = createGrowingLru<string, Entry>(MAX_PROJECTS)
  // Project ids contain no spaces; account ids may contain anything.
  const keyOf = (accountId: string, id: string): string => `${id} ${accountId}`

  const isValid = (entry: Entry, epoch: number, nowMs: number): boolean =>
    entry.epoch === epoch && nowMs - entry.loadedAtMs <= MAX_AGE_MS

  return {
    /** The project if it is in memory under this epoch. Otherwise null: it may exist. */
    peek(accountId: string, id: string, epoch: number): ProjectRecord | null {
      const entry = cache.get(keyOf(accountId, id))
      return entry !== undefined && isValid(entry, epoch, Date.now()) ? entry.project : null
    },

    /** The projects that exist, by id. With an unknown epoch (NaN), they are read from the store. */
    async get(accountId: string, ids: readonly string[], epoch: number): Promise<Map<string, ProjectRecord>> {
      const nowMs = Date.now()
      const projects = new Map<string, ProjectRecord>()
      const missing: string[] = []
      for (const id of ids) {
        const entry = cache.get(keyOf(accountId, id))
        if (entry !== undefined && isValid(entry, epoch, nowMs)) projects.set(id, entry.project)
        else missing.push(id)
      }
      if (missing.length === 0) return projects
      for (const project of await store.projects.list(accountId, missing)) {
        projects.set(project.id, project)
        if (!Number.isNaN(epoch)) cache.set(keyOf(accountId, project.id), { project, epoch, loadedAtMs: nowMs })
      }
      return projects
    }
  }
}
