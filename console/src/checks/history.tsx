import { useState } from 'preact/hooks'
import type { BlogDraft } from '../../../schemas/blog.ts'
import type { Environment, VisualCheckSummary } from '../../../schemas/visual-check.ts'
import { formatDateTime } from '../format.ts'
import { useProjects } from '../projects/context.tsx'
import { navigate } from '../router.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Empty, ErrorNotice, Loaded, Page, Panel, Table, Time } from '../ui/display.tsx'
import { useWidth } from '../ui/use-width.ts'
import { isUnfinished, pageUrlOf, ScoreBadge, startCheck } from './running.tsx'

const POLL_MS = 2000
const HEIGHT = 140
const INSET = 28

/** The checks of one post: start one, and see how the score changed. */
export function BlogChecksPage({ blogId }: { blogId: string }) {
  const blog = useQuery<BlogDraft>(`/api/v1/blogs/by-id/${blogId}`)
  const checks = useQuery<{ visualChecks: VisualCheckSummary[] }>(
    `/api/v1/blogs/${blogId}/visual-checks?pageSize=50`,
    ({ visualChecks }) => (visualChecks.some(isUnfinished) ? POLL_MS : null)
  )
  return (
    <Page title={blog.data?.title ?? 'Post'} parent={{ href: '/checks', text: 'Visual checks' }}>
      <Loaded query={blog}>{(data) => <StartForm blog={data} />}</Loaded>
      <Loaded query={checks}>
        {({ visualChecks }) =>
          visualChecks.length === 0 ? (
            <Empty title="The page of this post has not been checked yet.">
              <p>Select “Start check” above. Checks are stored for 30 days.</p>
            </Empty>
          ) : (
            <>
              <Panel title="Score">
                <ScoreChart checks={visualChecks} />
              </Panel>
              <Table label="Checks" head={['Checked', 'Score', 'Page', 'Started by']}>
                {visualChecks.map((check) => (
                  <tr key={check.id}>
                    <td>
                      <a href={`#/checks/${blogId}/${check.id}`}>
                        <Time at={check.finishedAt ?? check.createdAt} />
                      </a>
                    </td>
                    <td>
                      <ScoreBadge check={check} />
                    </td>
                    <td class="small">{check.url}</td>
                    <td>{check.trigger === 'schedule' ? 'Schedule' : 'Request'}</td>
                  </tr>
                ))}
              </Table>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function StartForm({ blog }: { blog: BlogDraft }) {
  const { list: projects } = useProjects()
  const project = projects?.find(({ id }) => id === blog.projectId)
  const [typed, setUrl] = useState<string | null>(null)
  const [environment, setEnvironment] = useState<Environment>('live')
  const url = typed ?? (project === undefined ? '' : (pageUrlOf(project, blog) ?? ''))
  const start = useAction(async () => {
    const { id } = await startCheck(blog.id, { url, environment, screenshots: 'full' })
    navigate(`/checks/${blog.id}/${id}`)
  })
  return (
    <Panel title="Check the page">
      <form
        class="start-check"
        onSubmit={(event) => {
          event.preventDefault()
          void start.run()
        }}
      >
        <TextField label="Address of the page" type="url" value={url} onInput={setUrl} required />
        <Select
          label="Environment"
          value={environment}
          options={[
            ['live', 'Live'],
            ['staging', 'Staging']
          ]}
          onChange={setEnvironment}
        />
        <Button look="primary" type="submit" busy={start.isRunning}>
          Start check
        </Button>
      </form>
      {start.error !== null && <ErrorNotice error={start.error} />}
    </Panel>
  )
}

/** The scores over time, from 0 to 100. */
function ScoreChart({ checks }: { checks: VisualCheckSummary[] }) {
  const [figure, width] = useWidth<HTMLElement>(720)
  const scored = checks.filter(({ overallScore }) => overallScore !== null).reverse()
  const x = (index: number): number =>
    scored.length === 1 ? width / 2 : INSET + (index / (scored.length - 1)) * (width - 2 * INSET)
  const y = (score: number): number => HEIGHT - 12 - (score / 100) * (HEIGHT - 24)
  const points = scored.map(({ overallScore }, index) => [x(index), y(overallScore!)] as const)
  const last = scored.at(-1)?.overallScore ?? 'unknown'
  return (
    <figure class="chart" ref={figure}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`${scored.length} scores, the latest ${last}`}>
        {[0, 50, 100].map((score) => (
          <g key={score}>
            <line class="grid" x1={INSET} x2={width} y1={y(score)} y2={y(score)} />
            <text x="0" y={y(score) + 4}>
              {score}
            </text>
          </g>
        ))}
        <polyline class="line" points={points.map((point) => point.join(',')).join(' ')} />
        {points.map(([cx, cy], index) => (
          <circle key={scored[index]!.id} class="point" cx={cx} cy={cy} r="4">
            <title>{`${scored[index]!.overallScore}, ${formatDateTime(scored[index]!.createdAt)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}
