import { problem } from '../errors.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { ProjectRecord, Store } from '../ports/store/port.ts'
import { DEFAULT_ARTICLE_STYLE } from '../schemas/default-article-style.ts'
import type { Project, ProjectInput, ProjectPatch } from '../schemas/project.ts'
import { mapInSlices } from '../lib/async.ts'

/** Projects of an account. */
export const MAX_PROJECTS = 1_000

export type Projects = ReturnType<typeof createProjects>

/**
 * Projects are created by the first write that names them, unless the account allows known projects
 * only.
 */
export function createProjects({ store, limits }: { store: Store; limits: Limits }) {
  const unknown = (id: string) => problem('project_not_found', `There is no project "${id}" in this account.`)

  /** Caches of settings are invalid from here on, see project-cache.ts. */
  const changed = (accountId: string) => limits.bumpEpoch(accountId, 'keys')

  /** Two requests at the same time may exceed the limit by one. */
  async function insert(project: ProjectRecord): Promise<{ project: ProjectRecord; added: boolean }> {
    if ((await store.projects.count(project.accountId)) >= MAX_PROJECTS) {
      const existing = await store.projects.find(project.accountId, project.id)
      if (existing !== null) return { project: existing, added: false }
      throw problem(
        'too_many_projects',
        `An account may have at most ${MAX_PROJECTS.toLocaleString('en')} projects. Delete an empty project first.`
      )
    }
    return await store.projects.insertIfAbsent(project)
  }

  function newProject(accountId: string, input: ProjectInput): ProjectRecord {
    const now = new Date().toISOString()
    return {
      accountId,
      name: input.id,
      siteUrl: null,
      blogPath: '/blog',
      brandName: null,
      optimize: 'auto',
      ...DEFAULT_ARTICLE_STYLE,
      locale: null,
      visualCheck: null,
      createdAt: now,
      updatedAt: now,
      ...withOptimize(input),
      ...scheduleFrom(input, now)
    }
  }

  /** Scheduled checks need the URL of the website. */
  async function assertSiteUrl(accountId: string, id: string, patch: ProjectPatch): Promise<void> {
    if (patch.visualCheck === undefined && patch.siteUrl === undefined) return
    const { siteUrl, visualCheck } = { ...(await store.projects.find(accountId, id)), ...patch }
    if (visualCheck === null || visualCheck === undefined) return
    if (siteUrl !== null && siteUrl !== undefined) return
    throw problem('invalid_request', 'Scheduled visual checks need the URL of the website.', {
      errors: [{ pointer: '/siteUrl', code: 'required', message: 'must be set while `visualCheck` is set' }]
    })
  }

  return {
    /**
     * Returns the project of a write, and creates it if needed. Throws `project_not_found` when the
     * account allows known projects only, and `too_many_projects`.
     */
    async resolveForWrite(accountId: string, id: string): Promise<ProjectRecord> {
      const project = await store.projects.find(accountId, id)
      if (project !== null) return project
      if ((await store.accounts.find(accountId))?.knownProjectsOnly === true) throw unknown(id)
      return (await insert(newProject(accountId, { id }))).project
    },

    /** Returns the project of a dry run, without creating it. Throws like `resolveForWrite`. */
    async resolveForDryRun(accountId: string, id: string): Promise<ProjectRecord> {
      const project = await store.projects.find(accountId, id)
      if (project !== null) return project
      if ((await store.accounts.find(accountId))?.knownProjectsOnly === true) throw unknown(id)
      return newProject(accountId, { id })
    },

    async list(accountId: string): Promise<Project[]> {
      return await mapInSlices(await store.projects.list(accountId), toProjectResponse)
    },

    async create(accountId: string, input: ProjectInput): Promise<Project> {
      await assertSiteUrl(accountId, input.id, { siteUrl: null, ...input })
      const { project, added } = await insert(newProject(accountId, input))
      if (!added) throw problem('project_exists', `The project "${input.id}" already exists.`)
      return toProjectResponse(project)
    },

    /** Updates settings that appear in links, JSON-LD and CSS, so both epochs are incremented. */
    async update(accountId: string, id: string, patch: ProjectPatch): Promise<Project> {
      await assertSiteUrl(accountId, id, patch)
      const now = new Date().toISOString()
      const project = await store.projects.update(accountId, id, {
        ...withOptimize(patch),
        ...scheduleFrom(patch, now),
        updatedAt: now
      })
      if (project === null) throw unknown(id)
      await changed(accountId)
      await limits.bumpEpoch(accountId, 'content')
      return toProjectResponse(project)
    },

    /** Deletes an empty project, and returns it. Throws `project_not_empty` otherwise. */
    async remove(accountId: string, id: string): Promise<Project> {
      if (await store.blogs.existsInProject(accountId, id)) {
        throw problem('project_not_empty', `The project "${id}" still has blogs.`)
      }
      if (await store.products.existsInProject({ accountId, projectId: id })) {
        throw problem('project_not_empty', `The project "${id}" still has products.`)
      }
      const project = await store.projects.find(accountId, id)
      const deleted = await store.projects.delete(accountId, id)
      // Also when the project is gone already: the caller may retry because this step failed the first time.
      await changed(accountId)
      if (!deleted || project === null) throw unknown(id)
      return toProjectResponse(project)
    }
  }
}

/** A new schedule begins at once. The turn of the blogs continues. */
const scheduleFrom = ({ visualCheck }: ProjectPatch, now: string): Pick<ProjectRecord, 'nextCheckAt'> =>
  visualCheck === undefined ? {} : { nextCheckAt: visualCheck === null ? null : now }

/** Records and requests from before the setting was renamed use the spelling `optimise`. */
interface LegacySetting {
  optimise?: ProjectRecord['optimize']
}

/** The setting `optimize` of a project, in either spelling. */
export function optimizeSetting(project: ProjectRecord): ProjectRecord['optimize'] {
  const stored: Partial<ProjectRecord> & LegacySetting = project
  return stored.optimize ?? stored.optimise ?? 'auto'
}

/** The input with the setting `optimize` in its current spelling. `optimize` wins over `optimise`. */
function withOptimize<T extends ProjectPatch>({ optimise, ...input }: T): Omit<T, 'optimise'> {
  return optimise === undefined ? input : { optimize: optimise, ...input }
}

function toProjectResponse(record: ProjectRecord): Project {
  const {
    accountId: _accountId,
    optimise: _optimise,
    nextCheckAt: _nextCheckAt,
    nextCheckPosition: _nextCheckPosition,
    ...project
  }: ProjectRecord & LegacySetting = record
  // Records from before there were these settings do not have them.
  return {
    ...DEFAULT_ARTICLE_STYLE,
    categoryPath: null,
    visualCheck: null,
    ...project,
    optimize: optimizeSetting(record)
  }
}
