import { setTimeout as wait } from 'node:timers/promises'
import type { Static } from '@sinclair/typebox'
import { StartError } from '../../../errors.ts'
import type { PingResult, Webhook, WebhookList, WebhookWithSecret } from '../../../schemas/webhook.ts'
import { RefusedError, type Operator } from '../operator.ts'
import type { Wanted } from './wanted.ts'

/** By this a webhook that an earlier call had to leave behind is known again. */
const DESCRIPTION = 'svc webhooks listen'
/** A server that hangs does not keep the command from ending. */
const MOST_REMOVING_MS = 5000

/** A webhook for as long as somebody listens. */
export interface Registration {
  id: string
  secret: string
  /** Has a ping sent to it; resolves with what came of that in a sentence. */
  ping: () => Promise<string>
  /** Throws a StartError when it could not be deleted. */
  remove: () => Promise<void>
}

/** The receiver's own address, and who sends the pings. */
interface Here {
  own: string
  pinger: string
}

/**
 * Registers the public address, or `own` where there is none; null when the server does not post to
 * `own`. Throws a RefusedError for any other reason.
 */
export async function register(
  service: Operator,
  { account, publicUrl, events }: Wanted,
  { own, pinger }: Here
): Promise<Registration | null> {
  const url = publicUrl ?? own
  const { webhooks } = await service.call<Static<typeof WebhookList>>('GET', '/api/webhooks', { account })
  for (const { id } of webhooks.filter((old: Webhook) => old.description === DESCRIPTION && old.url === url)) {
    await service.call('DELETE', `/api/webhooks/${id}`, { account })
  }
  try {
    const { id, secret } = await service.call<Static<typeof WebhookWithSecret>>('POST', '/api/webhooks', {
      account,
      body: { url, events, description: DESCRIPTION }
    })
    const path = `/api/webhooks/${id}`
    return {
      id,
      secret: secret!,
      ping: async () => toldOf(pinger, await service.call<PingResult>('POST', `${path}/test`, { account })),
      remove: async () => await removed(id, service.call('DELETE', path, { account }))
    }
  } catch (error) {
    // An address that was asked for is the person's to put right.
    if (publicUrl === undefined && error instanceof RefusedError && error.problem.code === 'webhook_address_refused') {
      return null
    }
    throw error
  }
}

function toldOf(pinger: string, { delivered, detail, status }: PingResult): string {
  return delivered
    ? `${pinger} reaches it.`
    : `${pinger} does not reach it: ${detail ?? `it was answered with ${status}`}`
}

async function removed(id: string, removing: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const tooLate = wait(MOST_REMOVING_MS, true, { signal: over.signal }).then(() => {
    throw new Error('the server does not answer')
  })
  try {
    await Promise.race([removing, tooLate])
  } catch (error) {
    if (error instanceof RefusedError && error.problem.code === 'webhook_not_found') return
    throw new StartError(
      `The webhook ${id} is still registered; it could not be deleted: ${(error as Error).message}.`,
      { cause: error }
    )
  } finally {
    over.abort()
  }
}
