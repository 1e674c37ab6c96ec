import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import type { QueueState } from '../../../schemas/queue.ts'
import type { VisualCheck, VisualCheckInput } from '../../../schemas/visual-check.ts'
import { accountPath } from '../account.ts'
import type { AdminClient } from '../admin-client.ts'
import { getQueueState, START_A_WORKER } from '../queues.ts'

/** Visual checks of an account, through the administration API. All methods throw RequestError. */
export interface CheckClient {
  /**
   * Requests a check of a page against the published blog with this slug. `project` is needed if
   * several projects have such a blog.
   */
  request: (blog: { slug: string; project?: string | undefined }, input: VisualCheckInput) => Promise<VisualCheck>
  /** The current state of a check. */
  find: (check: Pick<VisualCheck, 'id' | 'blogId'>) => Promise<VisualCheck>
  /** The report of a check as one HTML file. */
  report: (check: Pick<VisualCheck, 'id' | 'blogId'>) => Promise<Buffer>
  /** The queue of the checks of all accounts; null while it does not respond. */
  queue: () => Promise<QueueState | null>
}

export function createCheckClient(client: AdminClient, account: string): CheckClient {
  const checks = (blog: string) => `${accountPath(account)}/blogs/${encodeURIComponent(blog)}/visual-checks`
  return {
    request: async ({ slug, project }, input) => {
      const query = project === undefined ? '' : `?projectId=${encodeURIComponent(project)}`
      return await client.call<VisualCheck>('POST', `${checks(slug)}${query}`, { body: input })
    },
    find: async ({ blogId, id }) => await client.call<VisualCheck>('GET', `${checks(blogId)}/${id}`),
    async report({ blogId, id }) {
      const chunks: Buffer[] = []
      const target = new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done()
        }
      })
      await client.download(`${checks(blogId)}/${id}/report`, target)
      return Buffer.concat(chunks)
    },
    queue: async () => await getQueueState(client, 'run-visual-check')
  }
}

const POLL_MS = 300
/** A check that is queued for longer is reported as waiting. */
const QUEUED_MS = 5_000
/** A check has three attempts of at most 90 seconds. After this time, no worker is running. */
const TIMEOUT_MS = 300_000

/**
 * Resolves with the finished check. Logs once why the check waits if it stays queued. Throws a
 * StartError after five minutes, RequestError.
 */
export async function waitForCheck(
  client: CheckClient,
  started: VisualCheck,
  log: (line: string) => void
): Promise<VisualCheck> {
  const start = performance.now()
  let check = started
  let isLogged = false
  while (check.status === 'queued' || check.status === 'running') {
    const elapsedMs = performance.now() - start
    if (elapsedMs > TIMEOUT_MS) {
      throw new StartError(
        [
          `The check ${check.id} is still ${check.status} after 5 minutes. Run "svc queues" to see the queue.`,
          `If no worker runs, ${START_A_WORKER}.`
        ].join(' ')
      )
    }
    if (check.status === 'queued' && elapsedMs > QUEUED_MS && !isLogged) {
      log(explainWaiting(await client.queue()))
      isLogged = true
    }
    await wait(POLL_MS)
    check = await client.find(check)
  }
  return check
}

/** Why a queued check has not started. `queue` null: the queue does not respond. */
export function explainWaiting(queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null): string {
  return `waiting: ${waitReason(queue)}`
}

function waitReason(queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null): string {
  if (queue === null) return 'the queue does not respond; the check continues when it does'
  const { waiting, due, running } = queue
  if (running > 0) return `the workers are busy with other checks (${running} running, ${due} due)`
  if (due > 0) return `no worker has started the check; ${START_A_WORKER}`
  if (waiting > 0) return 'an attempt failed and will be retried; see the worker log'
  return `the check is not in the queue; a worker adds it within a minute. If no worker runs, ${START_A_WORKER}`
}
