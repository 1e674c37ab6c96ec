import type { DeliveryAttempt, DeliveryDetail } from '../../../schemas/webhook.ts'
import { call } from '../api.ts'
import { formatNumber } from '../format.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button } from '../ui/controls.tsx'
import { Badge, ErrorNotice, Loaded, Page, Panel, Time } from '../ui/display.tsx'
import { ERROR_TEXTS } from './errors.ts'
import { DELIVERY_TEXTS, DELIVERY_TONES } from './webhook.tsx'

const POLL_MS = 2000

/** One delivery: the request of every attempt, and the response of the receiver. */
export function DeliveryPage({ webhookId, id }: { webhookId: string; id: string }) {
  const path = `/api/webhooks/deliveries/${id}`
  const query = useQuery<DeliveryDetail>(path, ({ status }) => (status === 'pending' ? POLL_MS : null))
  const redeliver = useAction(async () => {
    await call('POST', `${path}/redeliver`)
    query.reload()
  })
  const delivery = query.data
  return (
    <Page
      title={delivery?.event ?? 'Delivery'}
      parent={{ href: `/webhooks/${webhookId}`, text: 'Webhook' }}
      badge={
        delivery !== null && <Badge tone={DELIVERY_TONES[delivery.status]}>{DELIVERY_TEXTS[delivery.status]}</Badge>
      }
      actions={
        <Button look="primary" busy={redeliver.isRunning} onClick={() => void redeliver.run()}>
          Redeliver
        </Button>
      }
    >
      <ErrorNotice error={redeliver.error} />
      <Loaded query={query}>
        {({ attemptLog, body, eventId }) => (
          <div class="split">
            <div class="stack">
              {attemptLog.length === 0 && <p class="muted">There was no attempt yet.</p>}
              {attemptLog.toReversed().map((attempt) => (
                <Attempt key={`${attempt.number} ${attempt.at}`} attempt={attempt} />
              ))}
            </div>
            <Panel title="Request body">
              <p class="muted small">Event {eventId}. Every attempt has the same bytes.</p>
              <pre tabIndex={0}>{indented(body)}</pre>
            </Panel>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { number, at, durationMs, status, error, detail, address, requestHeaders, responseHeaders, response } = attempt
  return (
    <Panel title={`Attempt ${number}`} actions={<Time at={at} />}>
      <p>
        <Badge tone={error === null ? 'good' : 'bad'}>
          {status ?? (error === null ? 'No response' : ERROR_TEXTS[error])}
        </Badge>{' '}
        {detail} ({formatNumber(durationMs)} ms{address !== null && `, ${address}`})
      </p>
      <details>
        <summary>Request headers</summary>
        <pre tabIndex={0}>{headersText(requestHeaders)}</pre>
      </details>
      <details>
        <summary>Response headers</summary>
        <pre tabIndex={0}>{headersText(responseHeaders)}</pre>
      </details>
      <h3>Response</h3>
      {response === '' ? (
        <p class="muted">{status === null ? 'The receiver did not respond.' : 'The response has no body.'}</p>
      ) : (
        <pre tabIndex={0}>{response}</pre>
      )}
    </Panel>
  )
}

const headersText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** JSON with line breaks, for reading. Other texts unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // The body of an event is JSON; anything else is shown as it is.
  }
}
