import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Project } from '../../../schemas/project.ts'
import { getSession } from '../session.ts'
import { useQuery } from '../use-query.ts'
import { Select } from '../ui/controls.tsx'

interface Projects {
  /** Null until they are loaded, and for an API key, which may not list them. */
  list: Project[] | null
  /** The chosen project; empty for all. */
  current: string
  choose: (id: string) => void
  reload: () => void
}

export const ProjectContext = createContext<Projects>({ list: null, current: '', choose: () => {}, reload: () => {} })

/** The projects of the account, and the one that the person works on. */
export const useProjects = (): Projects => useContext(ProjectContext)

/** Reads the projects of a signed-in user. API keys have no access to them. */
export function useProjectList() {
  const isUser = getSession()?.kind === 'session'
  return useQuery<{ projects: Project[] }>(isUser ? '/api/projects' : null)
}

/** Chooses a project by its name, or for an API key by its id. Leads to the projects if there are none. */
export function ProjectPicker({ label = 'Project', allowAll = true }: { label?: string; allowAll?: boolean }) {
  const { list, current, choose } = useProjects()
  if (list === null) {
    return (
      <div class="field">
        <label for="project-id">{label}</label>
        <input
          id="project-id"
          value={current}
          placeholder="Project id"
          onChange={(e) => choose(e.currentTarget.value)}
        />
      </div>
    )
  }
  if (list.length === 0) {
    return (
      <p>
        There are no projects yet. <a href="#/projects">Create a project</a> first.
      </p>
    )
  }
  const all = allowAll ? ([['', 'All projects']] as const) : current === '' ? ([['', 'Choose a project']] as const) : []
  return (
    <Select
      label={label}
      value={current}
      options={[...all, ...list.map(({ id, name }) => [id, name] as const)]}
      onChange={choose}
    />
  )
}
