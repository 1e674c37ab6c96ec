import type { BlogListItem } from '../../../schemas/blog.ts'
import type { Project } from '../../../schemas/project.ts'
import type { CheckStatus, VisualCheck, VisualCheckInput } from '../../../schemas/visual-check.ts'
import { call } from '../api.ts'
import { Badge } from '../ui/display.tsx'

const POLL_MS = 1500
const STATUS_TEXTS: Record<CheckStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  blocked: 'Blocked',
  unreachable: 'Unreachable',
  timeout: 'Timed out',
  failed: 'Failed'
}

export const isUnfinished = ({ status }: Pick<VisualCheck, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** The score, or the state of a check without one. */
export function ScoreBadge({
  check: { status, overallScore }
}: {
  check: Pick<VisualCheck, 'status' | 'overallScore'>
}) {
  if (overallScore === null) return <Badge tone={status === 'failed' ? 'bad' : 'info'}>{STATUS_TEXTS[status]}</Badge>
  const tone = overallScore >= 90 ? 'good' : overallScore >= 70 ? 'warn' : 'bad'
  return (
    <>
      <Badge tone={tone}>{overallScore}</Badge>{' '}
      {status !== 'completed' && <Badge tone="bad">{STATUS_TEXTS[status]}</Badge>}
    </>
  )
}

/** The address of a post on the project's website; null without one. */
export function pageUrlOf(
  { siteUrl, blogPath }: Pick<Project, 'siteUrl' | 'blogPath'>,
  { slug }: Pick<BlogListItem, 'slug'>
): string | null {
  if (siteUrl === null) return null
  return `${siteUrl.replace(/\/$/, '')}${blogPath.replace(/\/$/, '')}/${slug}`
}

/** Starts a check. */
export const startCheck = async (blogId: string, input: VisualCheckInput): Promise<VisualCheck> =>
  await call<VisualCheck>('POST', `/api/v1/blogs/${blogId}/visual-check`, {
    body: input,
    headers: { prefer: 'respond-async' }
  })

/** Runs a check to its end, or until `control.isStopped`. */
export async function runCheck(
  blogId: string,
  input: VisualCheckInput,
  control: { isStopped: boolean }
): Promise<VisualCheck> {
  let check = await startCheck(blogId, input)
  while (isUnfinished(check) && !control.isStopped) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    check = await call<VisualCheck>('GET', `/api/v1/blogs/${blogId}/visual-checks/${check.id}`)
  }
  return check
}
