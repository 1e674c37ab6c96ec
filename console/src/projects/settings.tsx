import { useState } from 'preact/hooks'
import type { Project, ProjectPatch } from '../../../schemas/project.ts'
import { call } from '../api.ts'
import { navigate, useUnsavedChanges } from '../router.ts'
import { useAction } from '../use-query.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Empty, ErrorNotice, Loaded, Page, Panel } from '../ui/display.tsx'
import { useProjectList, useProjects } from './context.tsx'

/** The settings as the form edits them. An empty text means null: the service's default. */
interface SettingsForm {
  name: string
  siteUrl: string
  blogPath: string
  categoryPath: string
  brandName: string
  locale: string
  optimize: Project['optimize']
  every: string
  colorScheme: Project['colorScheme']
  codeTheme: Project['codeTheme']
  maxWidth: string
  accentColor: string
  fontFamily: string
  borderRadius: string
}

const INTERVALS = [
  ['', 'Only on request'],
  ['6h', 'Every 6 hours'],
  ['1d', 'Every day'],
  ['7d', 'Every week']
] as const

const toForm = (project: Project): SettingsForm => ({
  name: project.name,
  siteUrl: project.siteUrl ?? '',
  blogPath: project.blogPath,
  categoryPath: project.categoryPath ?? '',
  brandName: project.brandName ?? '',
  locale: project.locale ?? '',
  optimize: project.optimize,
  every: project.visualCheck?.every ?? '',
  colorScheme: project.colorScheme,
  codeTheme: project.codeTheme,
  maxWidth: project.maxWidth ?? '',
  accentColor: project.accentColor ?? '',
  fontFamily: project.fontFamily ?? '',
  borderRadius: project.borderRadius ?? ''
})

/** The changes of the form: only settings that differ from the saved ones. */
function toPatch(project: Project, form: SettingsForm): ProjectPatch {
  const saved = toForm(project)
  const patch: Record<string, unknown> = {}
  for (const name of Object.keys(form) as (keyof SettingsForm)[]) {
    if (form[name] === saved[name]) continue
    const value = form[name].trim() === '' ? null : form[name].trim()
    if (name === 'every') patch.visualCheck = value === null ? null : { every: value }
    else patch[name] = value
  }
  return patch as ProjectPatch
}

/** The settings of one project. */
export function ProjectPage({ id }: { id: string }) {
  const list = useProjectList()
  const project = list.data?.projects.find((each) => each.id === id)
  if (project !== undefined) return <Settings key={project.updatedAt} project={project} onSaved={list.reload} />
  return (
    <Page title="Project" parent={{ href: '/projects', text: 'Projects' }}>
      <Loaded query={list}>{() => <Empty title="There is no project with this id." />}</Loaded>
    </Page>
  )
}

function Settings({ project, onSaved }: { project: Project; onSaved: () => void }) {
  const { reload } = useProjects()
  const [form, setForm] = useState(() => toForm(project))
  const [isDeleting, setDeleting] = useState(false)
  const patch = toPatch(project, form)
  const isDirty = Object.keys(patch).length > 0
  useUnsavedChanges(isDirty)
  const path = `/api/projects/${project.id}`
  const save = useAction(async () => {
    await call<Project>('PATCH', path, { body: patch })
    onSaved()
    reload()
  })
  /** The attributes of a text field for a setting. */
  const field = (name: keyof SettingsForm) => ({
    value: form[name],
    onInput: (value: string) => setForm((previous) => ({ ...previous, [name]: value }))
  })
  const choice = (name: keyof SettingsForm) => ({
    value: form[name],
    onChange: (value: string) => setForm((previous) => ({ ...previous, [name]: value }))
  })
  const intervals = INTERVALS.some(([value]) => value === form.every)
    ? INTERVALS
    : [...INTERVALS, [form.every, `Every ${form.every}`] as const]
  return (
    <Page
      title={project.name}
      parent={{ href: '/projects', text: 'Projects' }}
      actions={
        <>
          <span class="muted small" role="status">
            {isDirty ? 'Not saved' : 'Saved'}
          </span>
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
          <Button look="primary" disabled={!isDirty} busy={save.isRunning} onClick={() => void save.run()}>
            Save
          </Button>
        </>
      }
    >
      <ErrorNotice error={save.error} />
      <div class="columns">
        <Panel title="Website">
          <div class="stack">
            <TextField label="Name" required {...field('name')} />
            <TextField
              label="Website"
              type="url"
              placeholder="https://my-site.example"
              hint="For links in feeds, the sitemap and JSON-LD, and for visual checks."
              {...field('siteUrl')}
            />
            <TextField label="Path of the blog" hint="Such as /blog." {...field('blogPath')} />
            <TextField
              label="Path of category pages"
              placeholder="/blog/category/{category}"
              hint="For breadcrumbs in JSON-LD. {category} is replaced by the category."
              {...field('categoryPath')}
            />
            <TextField
              label="Brand"
              hint="The publisher in JSON-LD, and the brand in titles."
              {...field('brandName')}
            />
            <Select
              label="Visual checks"
              options={intervals}
              hint="How often the page of each published post is checked."
              {...choice('every')}
            />
          </div>
        </Panel>
        <div class="stack">
          <Panel title="Products">
            <div class="stack">
              <Select
                label="Texts for search results"
                options={[
                  ['auto', 'Generated automatically'],
                  ['manual', 'Generated only on request']
                ]}
                {...choice('optimize')}
              />
              <TextField
                label="Language of products"
                hint="A language tag, such as en or pt-BR. Empty: detected from the texts."
                {...field('locale')}
              />
            </div>
          </Panel>
          <Panel title="Look of articles">
            <div class="stack">
              <Select
                label="Colors"
                options={[
                  ['inherit', 'Of the page'],
                  ['light', 'Light'],
                  ['dark', 'Dark'],
                  ['auto', 'Light or dark, as the page']
                ]}
                {...choice('colorScheme')}
              />
              <Select
                label="Code blocks"
                options={[
                  ['inherit', 'As the article'],
                  ['light', 'Light'],
                  ['dark', 'Dark'],
                  ['plain', 'Without highlighting']
                ]}
                {...choice('codeTheme')}
              />
              <TextField label="Color of links" placeholder="#0a6cff" {...field('accentColor')} />
              <TextField label="Maximum width" placeholder="65ch" {...field('maxWidth')} />
              <TextField label="Font" placeholder="Inter, system-ui, sans-serif" {...field('fontFamily')} />
              <TextField label="Radius of corners" placeholder="8px" {...field('borderRadius')} />
            </div>
          </Panel>
        </div>
      </div>
      {isDeleting && (
        <Confirm
          title={`Delete ${project.name}?`}
          action="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call('DELETE', path)
            reload()
            navigate('/projects')
          }}
        >
          <p>Only a project without posts and products can be deleted.</p>
        </Confirm>
      )}
    </Page>
  )
}
