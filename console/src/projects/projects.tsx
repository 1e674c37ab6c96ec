import { useState } from 'preact/hooks'
import { getSession } from '../session.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loaded, Notice, Page, Table, Time } from '../ui/display.tsx'
import { useProjectList } from './context.tsx'
import { NewProjectDialog } from './new-project.tsx'

/** The projects of the account. */
export function ProjectsPage() {
  const list = useProjectList()
  const [isCreating, setCreating] = useState(false)
  if (getSession()?.kind !== 'session') {
    return (
      <Page title="Projects">
        <Notice tone="info">Projects are managed with a session token. Sign in with one to see them.</Notice>
      </Page>
    )
  }
  const newButton = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      New project
    </Button>
  )
  return (
    <Page title="Projects" actions={newButton}>
      <Loaded query={list}>
        {({ projects }) =>
          projects.length === 0 ? (
            <Empty title="There are no projects yet.">
              <p>A project holds the posts of one website, or the products of one shop.</p>
              {newButton}
            </Empty>
          ) : (
            <Table label="Projects" head={['Project', 'Website', 'Path of the blog', 'Changed']}>
              {projects.map(({ id, name, siteUrl, blogPath, updatedAt }) => (
                <tr key={id}>
                  <td>
                    <a href={`#/projects/${id}`}>{name}</a>
                    <span class="sub mono">{id}</span>
                  </td>
                  <td>{siteUrl ?? <span class="muted">None</span>}</td>
                  <td class="mono">{blogPath}</td>
                  <td class="nowrap">
                    <Time at={updatedAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {isCreating && (
        <NewProjectDialog
          onClose={() => {
            setCreating(false)
            list.reload()
          }}
        />
      )}
    </Page>
  )
}
