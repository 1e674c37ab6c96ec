import { useState } from 'preact/hooks'
import type { Project } from '../../../schemas/project.ts'
import { call } from '../api.ts'
import { useProjects } from './context.tsx'
import { useAction } from '../use-query.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/display.tsx'

/** Creates a project and chooses it. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const { choose, reload } = useProjects()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [siteUrl, setSiteUrl] = useState('')
  const [blogPath, setBlogPath] = useState('/blog')
  const create = useAction(async () => {
    const project = await call<Project>('POST', '/api/projects', {
      body: { id, name: name === '' ? id : name, siteUrl: siteUrl === '' ? null : siteUrl, blogPath }
    })
    reload()
    choose(project.id)
    onClose()
  })
  return (
    <Dialog title="New project" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create.run()
        }}
      >
        <TextField
          label="Id"
          value={id}
          onInput={setId}
          required
          hint="Used by your website, such as my-site. Fixed."
        />
        <TextField label="Name" value={name} onInput={setName} />
        <TextField
          label="Website"
          type="url"
          value={siteUrl}
          onInput={setSiteUrl}
          placeholder="https://my-site.example"
          hint="For links in feeds, the sitemap and JSON-LD, and for visual checks."
        />
        <TextField label="Path of the blog" value={blogPath} onInput={setBlogPath} />
        <ErrorNotice error={create.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isRunning}>
            Create project
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
