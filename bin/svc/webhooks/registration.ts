import type { Static } from '@sinclair/typebox'
import { StartError } from '../../../errors.ts'
import { withTimeout } from '../../../lib/async.ts'
import type { EventType } from '../../../schemas/event.ts'
import type { PingResult, Webhook, WebhookList, WebhookWithSecret } from '../../../schemas/webhook.ts'
import type { AdminClient } from '../admin-client.ts'
import { RequestError } from '../command.ts'

/** Identifies webhooks of earlier runs that could not be deleted. */
const DESCRIPTION = 'svc webhooks listen'
/** A server that hangs must not keep the command running. */
const DELETE_TIMEOUT_MS = 5000

/** A webhook that exists while the command listens. */
export interface Registration {
  id: string
  secret: string
  /** Requests a ping; resolves with a message about its delivery. */
  ping: () => Promise<string>
  /** Deletes the webhook. Throws a StartError on failure. */
  remove: () => Promise<void>
}

interface RegisterOptions {
  account: string
  /** The address to register. Default: the receiver's own address. */
  publicUrl: string | undefined
  /** Null: all types. */
  events: EventType[] | null
  receiverUrl: string
  /** Who sends the pings, as the subject of a sentence. */
  sender: string
}

/**
 * Registers a webhook. Resolves with null if the server refuses to post to the receiver's own
 * address. Throws a RequestError for any other error response.
 */
export async function register(
  client: AdminClient,
  { account, publicUrl, events, receiverUrl, sender }: RegisterOptions
): Promise<Registration | null> {
  const url = publicUrl ?? receiverUrl
  const { webhooks } = await client.call<Static<typeof WebhookList>>('GET', '/api/webhooks', { account })
  for (const { id } of webhooks.filter((old: Webhook) => old.description === DESCRIPTION && old.url === url)) {
    await client.call('DELETE', `/api/webhooks/${id}`, { account })
  }
  try {
    const { id, secret } = await client.call<Static<typeof WebhookWithSecret>>('POST', '/api/webhooks', {
      account,
      body: { url, events, description: DESCRIPTION }
    })
    const path = `/api/webhooks/${id}`
    return {
      id,
      secret: secret!,
      async ping() {
        const { delivered, detail, status } = await client.call<PingResult>('POST', `${path}/test`, { account })
        return delivered
          ? `${sender} can reach this address.`
          : `${sender} cannot reach this address: ${detail ?? `the response status was ${status}`}`
      },
      async remove() {
        await assertDeleted(id, client.call('DELETE', path, { account }))
      }
    }
  } catch (error) {
    // The user must fix an address given with --url; the receiver's own address has a fallback.
    if (publicUrl === undefined && error instanceof RequestError && error.problem.code === 'webhook_address_refused') {
      return null
    }
    throw error
  }
}

async function assertDeleted(id: string, deletion: Promise<unknown>): Promise<void> {
  try {
    await withTimeout(deletion, DELETE_TIMEOUT_MS)
  } catch (error) {
    if (error instanceof RequestError && error.problem.code === 'webhook_not_found') return
    throw new StartError(`Could not delete the webhook ${id}; it is still registered: ${(error as Error).message}.`, {
      cause: error
    })
  }
}
