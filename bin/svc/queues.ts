import { StartError } from '../../errors.ts'
import type { Config } from '../../schemas/config.ts'
import { Jobs, type JobName } from '../../schemas/jobs.ts'
import type { DeadJobList, JobRetryResult, QueueState, QueueStateList } from '../../schemas/queue.ts'
import { findService, type AdminClient } from './admin-client.ts'
import { RequestError } from './command.ts'
import type { RunCommand } from './command.ts'
import { countOf, formatDuration, formatTable } from './output.ts'
import { canIssueSessions, sessionSecret, signSession } from './settings.ts'

const DASHBOARD_TOKEN_SECONDS = 3600

export const queues: RunCommand = async ({ options, config, adminClient, print }) => {
  if (options.open === true) {
    const { address, token } = await signInToDashboard(config())
    print({ address, token }, [`Open           ${address}`, `Session token  ${token}`])
    return 0
  }
  assertQueueReachable(config())
  const list = await (await adminClient()).call<QueueStateList>('GET', '/api/admin/queues')
  const rows = list.queues.map(({ job, waiting, due, running, dead, oldestMs }) =>
    [job, waiting, due, running, dead, formatDuration(oldestMs)].map(String)
  )
  print(list, formatTable(['job', 'waiting', 'due', 'running', 'dead', 'oldest'], rows))
  return 0
}

export const queuesDead: RunCommand = async ({ args: [job], config, adminClient, print }) => {
  assertQueueReachable(config())
  const { call } = await adminClient()
  const names = job === undefined ? Object.keys(Jobs) : [job]
  const lists = await Promise.all(
    names.map(async (name) => await call<DeadJobList>('GET', `/api/admin/queues/${encodeURIComponent(name)}/dead`))
  )
  const jobs = lists.flatMap((list) => list.jobs).sort((a, b) => (a.failedAt < b.failedAt ? 1 : -1))
  const lines = jobs.map(({ failedAt, job, id, attempts, reason, payload }) => {
    const [firstLine] = reason.split('\n')
    return `${failedAt}  ${job} ${id}  after ${countOf(attempts, 'attempt')}: ${firstLine}  ${JSON.stringify(payload)}`
  })
  print({ jobs }, lines.length === 0 ? ['No dead jobs.'] : lines)
  return 0
}

export const queuesRetry: RunCommand = async ({ args: [job = '', id], config, adminClient, print }) => {
  assertQueueReachable(config())
  const result = await (await adminClient()).call<JobRetryResult>(
    'POST',
    `/api/admin/queues/${encodeURIComponent(job)}/retry`,
    { body: id === undefined ? {} : { id } }
  )
  print(result, [`${countOf(result.retried, 'job')} requeued`])
  return 0
}

/** The state of one queue; null while the queue does not respond. */
export async function getQueueState(client: AdminClient, job: JobName): Promise<QueueState | null> {
  try {
    const { queues } = await client.call<QueueStateList>('GET', '/api/admin/queues')
    return queues.find((queue) => queue.job === job) ?? null
  } catch (error) {
    if (error instanceof RequestError && error.problem.status >= 500) return null
    throw error
  }
}

/** The end of a message about a missing worker. */
export const START_A_WORKER = 'start one with ROLE=worker npm start'

/**
 * Throws a StartError if the queue lives in the memory of a server process that the command cannot
 * ask. The command would show an empty queue of its own.
 */
function assertQueueReachable({ MONGODB_URL, REDIS_URL }: Config): void {
  if (MONGODB_URL === undefined || REDIS_URL !== undefined) return
  throw new StartError(
    [
      'REDIS_URL is required with MONGODB_URL to see the queues:',
      'without REDIS_URL the queue is in the memory of the server process.',
      'Use GET /api/admin/queues of that process instead.'
    ].join(' ')
  )
}

/**
 * The URL of the queue dashboard, and a token to sign in with. The token is valid for an hour and
 * gives administrator access. Throws a StartError if there is no dashboard or no key to sign with.
 */
async function signInToDashboard(config: Config): Promise<{ address: string; token: string }> {
  if (config.REDIS_URL === undefined) {
    throw new StartError(
      'The queue dashboard needs REDIS_URL: without it the queue is in the server process. Use "svc queues" instead.'
    )
  }
  if (!canIssueSessions(config)) {
    throw new StartError(
      [
        'Cannot create a session token: the identity provider of SESSION_JWKS_URL issues them.',
        'Open /admin/queues and sign in with a session token with the role admin.'
      ].join(' ')
    )
  }
  const token = await signSession(config, sessionSecret(config), {
    subject: 'svc',
    account: 'svc',
    role: 'admin',
    expiresInSeconds: DASHBOARD_TOKEN_SECONDS
  })
  const { url } = await findService(config)
  return { address: `${url}/admin/queues`, token }
}
