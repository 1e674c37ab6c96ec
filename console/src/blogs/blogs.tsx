import { useState } from 'preact/hooks'
import type { BlogDraft, BlogListItem, BlogStatus } from '../../../schemas/blog.ts'
import { call, withQuery, type BlogPage } from '../api.ts'
import { formatDateTime, formatNumber } from '../format.ts'
import { ProjectPicker, useProjects } from '../projects/context.tsx'
import { navigate, replaceQuery, useRoute } from '../router.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Filter, SearchBox, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Empty, ErrorNotice, Loaded, Page, Pages, Table, Time, type Tone } from '../ui/display.tsx'

export const STATUS_TONES: Record<BlogStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  published: 'good',
  unpublished: 'warn'
}
export const STATUS_TEXTS: Record<BlogStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  unpublished: 'Unpublished'
}
const FILTERS = [['any', 'All'], ...(Object.entries(STATUS_TEXTS) as [BlogStatus, string][])] as [
  BlogStatus | 'any',
  string
][]

export const StatusBadge = ({ status }: { status: BlogStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{STATUS_TEXTS[status]}</Badge>
)

/** The posts of the account, in all states. */
export function BlogsPage() {
  const { query } = useRoute()
  const [status, setStatus] = useState((query.get('status') ?? 'any') as BlogStatus | 'any')
  const [q, setSearch] = useState(query.get('q') ?? '')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const { current: projectId } = useProjects()
  const path = withQuery('/api/v1/blogs', {
    status,
    q,
    projectId,
    page,
    sort: q === '' ? '-updatedAt' : null,
    pageSize: 25
  })
  const list = useQuery<BlogPage>(path)
  const change = (name: 'status' | 'q', value: string): void => {
    setPage(1)
    replaceQuery({ [name]: value === 'any' ? null : value })
  }
  return (
    <Page
      title="Blogs"
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          New post
        </Button>
      }
    >
      <div class="toolbar">
        <Filter
          label="State"
          value={status}
          options={FILTERS}
          onChange={(value) => {
            setStatus(value)
            change('status', value)
          }}
        />
        <SearchBox
          label="Search posts"
          value={q}
          onSearch={(text) => {
            setSearch(text)
            change('q', text)
          }}
        />
        <ProjectPicker />
      </div>
      <Loaded query={list}>
        {({ blogs, totalCount, totalPages }) =>
          blogs.length === 0 ? (
            <Empty title={q === '' ? 'There are no posts here.' : `No post matches “${q}”.`}>
              {q === '' ? (
                <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
                  Write the first post
                </Button>
              ) : (
                <p>Search for other words, or in another state.</p>
              )}
            </Empty>
          ) : (
            <>
              <BlogTable blogs={blogs} />
              <Pages page={page} totalPages={totalPages} totalCount={totalCount} item="post" onPage={setPage} />
            </>
          )
        }
      </Loaded>
      {isCreating && <NewPostDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function BlogTable({ blogs }: { blogs: BlogListItem[] }) {
  return (
    <Table label="Posts" head={['Title', 'State', 'Project', 'Language', { text: 'Words', numeric: true }, 'Changed']}>
      {blogs.map((blog) => (
        <tr key={blog.id}>
          <td>
            <a href={`#/blogs/${blog.id}`} lang={blog.lang} dir={blog.dir}>
              {blog.title}
            </a>
            <span class="sub mono">{blog.slug}</span>
          </td>
          <td class="nowrap">
            <StatusBadge status={blog.status ?? 'published'} />
            {blog.publishAt != null && <span class="sub">{formatDateTime(blog.publishAt)}</span>}
          </td>
          <td>{blog.projectId}</td>
          <td>{blog.locale}</td>
          <td class="numeric">{formatNumber(blog.wordCount)}</td>
          <td class="nowrap">
            <Time at={blog.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Creates a draft, so that pictures can be added and the preview shows what the service delivers. */
function NewPostDialog({ onClose }: { onClose: () => void }) {
  const { current: projectId } = useProjects()
  const [title, setTitle] = useState('')
  const create = useAction(async () => {
    if (projectId === '') throw new Error('Choose the project of the post.')
    const blog = await call<BlogDraft>('POST', '/api/v1/blogs', { body: { projectId, title, markdown: '' } })
    navigate(`/blogs/${blog.id}`)
  })
  return (
    <Dialog title="New post" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create.run()
        }}
      >
        <TextField label="Title" value={title} onInput={setTitle} required />
        <ProjectPicker allowAll={false} />
        <ErrorNotice error={create.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isRunning}>
            Create draft
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
