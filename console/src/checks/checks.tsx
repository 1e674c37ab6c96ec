import { useEffect, useState } from 'preact/hooks'
import type { BlogListItem } from '../../../schemas/blog.ts'
import { call, messageOf, withQuery, type BlogPage } from '../api.ts'
import { plural } from '../format.ts'
import { ProjectPicker, useProjects } from '../projects/context.tsx'
import { useQuery } from '../use-query.ts'
import { Button, SearchBox } from '../ui/controls.tsx'
import { Badge, Empty, ErrorNotice, Loaded, Meter, Notice, Page, Pages, Table, Time } from '../ui/display.tsx'
import { listCheckEvents, type CheckEvent } from './events.ts'
import { pageUrlOf, runCheck, ScoreBadge } from './running.tsx'

const PAGE_SIZE = 100

/** The published posts with their latest scores, and the check of all of them. */
export function ChecksPage() {
  const { current: projectId, list: projects } = useProjects()
  const [q, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [latest, setLatest] = useState<Map<string, CheckEvent>>(new Map())
  const [error, setError] = useState<string | null>(null)
  const blogs = useQuery<BlogPage>(withQuery('/api/v1/blogs', { projectId, q, page, pageSize: 25 }))
  const readLatest = (): void => {
    listCheckEvents().then(
      (events) => setLatest(new Map(events.toReversed().map((event) => [event.blogId, event]))),
      (failure: unknown) => setError(messageOf(failure))
    )
  }
  useEffect(readLatest, [])
  const project = projects?.find(({ id }) => id === projectId)
  return (
    <Page title="Visual checks" actions={<CheckAll projectId={projectId} onDone={readLatest} />}>
      <ErrorNotice error={error} />
      {project?.siteUrl === null && (
        <Notice tone="warn">
          The project {project.name} has no website address, so its pages are unknown. Start a check of one post with
          its URL.
        </Notice>
      )}
      <div class="toolbar">
        <SearchBox label="Search posts" value={q} onSearch={setSearch} />
        <ProjectPicker />
      </div>
      <Loaded query={blogs}>
        {({ blogs: list, totalCount, totalPages }) =>
          list.length === 0 ? (
            <Empty title="There are no published posts here.">
              <p>
                Publish a post, put it on your website, then check how the page looks. <a href="#/blogs">Blogs</a>
              </p>
            </Empty>
          ) : (
            <>
              <BlogScores blogs={list} latest={latest} />
              <Pages page={page} totalPages={totalPages} totalCount={totalCount} item="post" onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function BlogScores({ blogs, latest }: { blogs: BlogListItem[]; latest: Map<string, CheckEvent> }) {
  return (
    <Table label="Published posts" head={['Post', 'Latest score', 'Page', 'Checked']}>
      {blogs.map((blog) => {
        const event = latest.get(blog.id)
        return (
          <tr key={blog.id}>
            <td>
              <a href={`#/checks/${blog.id}`} lang={blog.lang} dir={blog.dir}>
                {blog.title}
              </a>
              <span class="sub">{blog.projectId}</span>
            </td>
            <td>{event === undefined ? <Badge>Not checked</Badge> : <ScoreBadge check={event} />}</td>
            <td class="small">{event?.url ?? ''}</td>
            <td class="nowrap">{event !== undefined && <Time at={event.at} />}</td>
          </tr>
        )
      })}
    </Table>
  )
}

interface Progress {
  total: number
  done: number
  failed: string[]
  current: string
}

/** Checks the pages of all published posts of a project, one after another. */
function CheckAll({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const { list: projects } = useProjects()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isStopping, setStopping] = useState(false)
  const project = projects?.find(({ id }) => id === projectId)
  const [control] = useState({ isStopped: false })
  useEffect(
    () => () => {
      control.isStopped = true
    },
    []
  )

  async function run(): Promise<void> {
    control.isStopped = false
    setStopping(false)
    const posts: BlogListItem[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = withQuery('/api/v1/blogs', { projectId, page, pageSize: PAGE_SIZE })
      const list = await call<BlogPage>('GET', path)
      posts.push(...list.blogs)
      pages = list.totalPages
    }
    const state: Progress = { total: posts.length, done: 0, failed: [], current: '' }
    for (const post of posts) {
      if (control.isStopped) break
      setProgress({ ...state, current: post.title })
      try {
        await runCheck(post.id, { url: pageUrlOf(project!, post)!, screenshots: 'full' }, control)
      } catch (error) {
        state.failed.push(`${post.title}: ${messageOf(error)}`)
      }
      state.done += 1
    }
    setProgress({ ...state, current: '' })
    onDone()
  }

  const isRunning = progress !== null && progress.current !== ''
  return (
    <>
      {progress !== null && (
        <span class="check-all small" role="status">
          {progress.done} of {plural(progress.total, 'page')} {isRunning && `· ${progress.current}`}
          <Meter label="Pages" used={progress.done} limit={Math.max(1, progress.total)} isGood />
          {progress.failed.length > 0 && <span class="over">{progress.failed.at(-1)}</span>}
        </span>
      )}
      {isRunning ? (
        <Button
          disabled={isStopping}
          onClick={() => {
            control.isStopped = true
            setStopping(true)
          }}
        >
          Stop
        </Button>
      ) : (
        <Button
          disabled={project?.siteUrl == null}
          onClick={() => {
            setProgress({ total: 0, done: 0, failed: [], current: 'Reading the posts' })
            run().catch((error: unknown) => setProgress({ total: 0, done: 0, failed: [messageOf(error)], current: '' }))
          }}
        >
          Check all pages
        </Button>
      )}
    </>
  )
}
