import type { Account, Usage } from '../../../schemas/account.ts'
import type { Event } from '../../../schemas/event.ts'
import type { BlogPage } from '../api.ts'
import { formatBytes, formatNumber } from '../format.ts'
import { useProjects } from '../projects/context.tsx'
import { getSession } from '../session.ts'
import { useQuery } from '../use-query.ts'
import { Badge, Empty, Loaded, Meter, Notice, Page, Panel } from '../ui/display.tsx'
import { RecentFailures } from './failures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { UsageChart } from './usage-chart.tsx'

/** How often the chart is read again. */
const USAGE_POLL_MS = 30_000

/** The plan and its use, recent problems, and the first steps of a new account. */
export function HomePage() {
  if (getSession()?.kind === 'key') return <KeyHome />
  return <AccountHome />
}

/** API keys may not read the account. */
function KeyHome() {
  return (
    <Page title="Home">
      <Notice tone="info">
        You are signed in with an API key. It opens what its scopes allow. To see the plan, projects and API keys, sign
        in with a session token.
      </Notice>
      <RecentFailures />
    </Page>
  )
}

function AccountHome() {
  const account = useQuery<Account>('/api/account')
  const usage = useQuery<Usage>('/api/account/usage', () => USAGE_POLL_MS)
  const published = useQuery<BlogPage>('/api/v1/blogs?pageSize=1')
  const checks = useQuery<{ events: Event[] }>('/api/events?type=visual_check.completed&limit=1')
  const { list: projects } = useProjects()
  return (
    <Page title="Home" badge={account.data === null ? undefined : <Badge>{planName(account.data)}</Badge>}>
      {usage.data !== null && published.data !== null && checks.data !== null && projects !== null && (
        <FirstSteps
          done={{
            project: projects.length > 0,
            blog: usage.data.storage.blogs.used > 0,
            published: published.data.totalCount > 0,
            key: usage.data.storage.apiKeys.used > 0,
            webhook: usage.data.storage.webhooks.used > 0,
            check: checks.data.events.length > 0
          }}
        />
      )}
      <Panel
        title="Requests per hour"
        actions={
          usage.data !== null && (
            <span class="muted small">
              {formatNumber(usage.data.remaining)} of {formatNumber(usage.data.limit)} left for API keys
            </span>
          )
        }
      >
        <Loaded query={usage}>{(data) => <UsageChart usage={data} />}</Loaded>
      </Panel>
      <div class="columns">
        <RecentFailures />
        <Panel title="Storage">
          <Loaded query={usage}>{(data) => <Storage storage={data.storage} />}</Loaded>
        </Panel>
      </div>
    </Page>
  )
}

const planName = ({ plan }: Account): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)} plan`

const RESOURCES = [
  ['bytes', 'Records and files'],
  ['blogs', 'Blogs'],
  ['products', 'Products'],
  ['images', 'Images'],
  ['apiKeys', 'API keys'],
  ['webhooks', 'Webhooks']
] as const

function Storage({ storage }: { storage: Usage['storage'] }) {
  const format = (name: (typeof RESOURCES)[number][0], value: number) =>
    name === 'bytes' ? formatBytes(value) : formatNumber(value)
  if (storage.blogs.used + storage.products.used === 0) {
    return <Empty title="Nothing is stored yet." />
  }
  return (
    <ul class="storage">
      {RESOURCES.map(([name, text]) => {
        const { used, limit } = storage[name]
        return (
          <li key={name}>
            <span>{text}</span>
            <span class="numeric muted">
              {format(name, used)} of {format(name, limit)}
            </span>
            <Meter label={text} used={used} limit={limit} />
          </li>
        )
      })}
    </ul>
  )
}
