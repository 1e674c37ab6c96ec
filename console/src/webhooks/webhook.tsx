import { useState } from 'preact/hooks'
import type { Delivery, DeliveryStatus, PingResult, Recovery, Webhook } from '../../../schemas/webhook.ts'
import { call, withQuery } from '../api.ts'
import { formatDateTime, formatNumber, toLocalInput } from '../format.ts'
import { navigate } from '../router.ts'
import { useAction, useQuery, type Query } from '../use-query.ts'
import { Button, Filter, TextField } from '../ui/controls.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import {
  Badge,
  Empty,
  ErrorNotice,
  Loaded,
  Notice,
  Page,
  Pages,
  Panel,
  Secret,
  Table,
  Time,
  type Tone
} from '../ui/display.tsx'
import { RotationDialog } from './rotation.tsx'
import { ERROR_TEXTS } from './errors.ts'
import { takeSecret } from './secrets.ts'
import { WebhookBadge } from './webhooks.tsx'

export const DELIVERY_TONES: Record<DeliveryStatus, Tone> = {
  pending: 'info',
  delivered: 'good',
  failed: 'bad',
  skipped: 'warn'
}
export const DELIVERY_TEXTS: Record<DeliveryStatus, string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped'
}
const POLL_MS = 3000
const DAY_MS = 86_400_000

/** One webhook: its test, its deliveries, recovery, and the rotation of its secret. */
export function WebhookPage({ id }: { id: string }) {
  const query = useQuery<Webhook>(`/api/webhooks/${id}`)
  const parent = { href: '/webhooks', text: 'Webhooks' }
  if (query.data === null) {
    return (
      <Page title="Webhook" parent={parent}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    )
  }
  return <KnownWebhook query={query} webhook={query.data} />
}

function KnownWebhook({ query, webhook }: { query: Query<Webhook>; webhook: Webhook }) {
  const [secret, setSecret] = useState(() => takeSecret(webhook.id))
  const [dialog, setDialog] = useState<'rotate' | 'recover' | 'delete' | null>(null)
  const path = `/api/webhooks/${webhook.id}`
  const close = (): void => setDialog(null)
  const toggle = useAction(async () => {
    query.setData(
      webhook.status === 'enabled'
        ? await call<Webhook>('PATCH', path, { body: { enabled: false } })
        : await call<Webhook>('POST', `${path}/enable`)
    )
  })
  return (
    <Page
      title={webhook.url}
      parent={{ href: '/webhooks', text: 'Webhooks' }}
      badge={<WebhookBadge webhook={webhook} />}
      actions={
        <>
          <Button busy={toggle.isRunning} onClick={() => void toggle.run()}>
            {webhook.status === 'enabled' ? 'Disable' : 'Enable'}
          </Button>
          <Button onClick={() => setDialog('rotate')}>Rotate secret</Button>
          <Button onClick={() => setDialog('recover')}>Recover</Button>
          <Button look="danger" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </>
      }
    >
      {secret !== null && (
        <Notice tone="good">
          <p>Copy the signing secret now. It is not shown again. Your receiver verifies signatures with it.</p>
          <Secret label="Signing secret" value={secret} />
          <Button onClick={() => setSecret(null)}>I have stored it</Button>
        </Notice>
      )}
      <ErrorNotice error={toggle.error} />
      {webhook.disabledReason !== null && <Notice tone="bad">{webhook.disabledReason}</Notice>}
      {webhook.secretExpiresAt !== null && (
        <Notice tone="info">The old secret is valid until {formatDateTime(webhook.secretExpiresAt)}.</Notice>
      )}
      <TestPanel path={path} />
      <Deliveries webhook={webhook} />
      {dialog === 'rotate' && <RotationDialog webhook={webhook} onChange={query.setData} onClose={close} />}
      {dialog === 'recover' && <RecoveryDialog path={path} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          action="Delete"
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', path)
            navigate('/webhooks')
          }}
        >
          <p>Its deliveries and its secret are deleted too. The receiver gets no further events.</p>
        </Confirm>
      )}
    </Page>
  )
}

/** Sends a test event and shows the response of the receiver. */
function TestPanel({ path }: { path: string }) {
  const [result, setResult] = useState<PingResult | null>(null)
  const test = useAction(async () => {
    setResult(await call<PingResult>('POST', `${path}/test`))
  })
  return (
    <Panel
      title="Test"
      actions={
        <Button busy={test.isRunning} onClick={() => void test.run()}>
          {test.isRunning ? 'Sending…' : 'Send a test event'}
        </Button>
      }
    >
      {test.error !== null ? (
        <ErrorNotice error={test.error} />
      ) : result === null ? (
        <p class="muted">A test event has the type ping and is signed like any other.</p>
      ) : (
        <div class="stack" role="status">
          <p>
            <Badge tone={result.delivered ? 'good' : 'bad'}>{result.delivered ? 'Delivered' : 'Failed'}</Badge>{' '}
            {result.status === null ? result.detail : `Status ${result.status}`} ({formatNumber(result.durationMs)} ms)
          </p>
          {result.response !== '' && (
            <details>
              <summary>Body of the response</summary>
              <pre tabIndex={0}>{result.response}</pre>
            </details>
          )}
        </div>
      )}
    </Panel>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const [status, setStatus] = useState<DeliveryStatus | ''>('')
  const [page, setPage] = useState(1)
  const path = withQuery(`/api/webhooks/${webhook.id}/deliveries`, { status, page, pageSize: 25 })
  const list = useQuery<{ deliveries: Delivery[]; totalCount: number; totalPages: number }>(path, ({ deliveries }) =>
    deliveries.some((delivery) => delivery.status === 'pending') ? POLL_MS : null
  )
  return (
    <Panel
      title="Deliveries"
      actions={
        <Filter
          label="State"
          value={status}
          options={[['', 'All'], ...(Object.entries(DELIVERY_TEXTS) as [DeliveryStatus, string][])]}
          onChange={(value) => {
            setStatus(value)
            setPage(1)
          }}
        />
      }
    >
      <Loaded query={list}>
        {({ deliveries, totalCount, totalPages }) =>
          deliveries.length === 0 ? (
            <Empty title="There are no deliveries here.">
              <p>Publish a post or send products: each event becomes a delivery. Test events are not listed.</p>
            </Empty>
          ) : (
            <>
              <Table
                label="Deliveries"
                head={[
                  'Event',
                  'State',
                  { text: 'Attempts', numeric: true },
                  'Last response',
                  'Created',
                  'Next attempt'
                ]}
              >
                {deliveries.map((delivery) => (
                  <tr key={delivery.id}>
                    <td>
                      <a class="mono" href={`#/webhooks/${webhook.id}/deliveries/${delivery.id}`}>
                        {delivery.event}
                      </a>
                      <span class="sub">No. {delivery.sequence}</span>
                    </td>
                    <td>
                      <Badge tone={DELIVERY_TONES[delivery.status]}>{DELIVERY_TEXTS[delivery.status]}</Badge>
                    </td>
                    <td class="numeric">{delivery.attempts}</td>
                    <td>{lastResponse(delivery)}</td>
                    <td class="nowrap">
                      <Time at={delivery.createdAt} />
                    </td>
                    <td class="nowrap">{delivery.nextAttemptAt !== null && <Time at={delivery.nextAttemptAt} />}</td>
                  </tr>
                ))}
              </Table>
              <Pages page={page} totalPages={totalPages} totalCount={totalCount} item="event" onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function lastResponse({ lastStatus, lastError }: Delivery): number | string {
  return lastStatus ?? (lastError === null ? '' : ERROR_TEXTS[lastError])
}

/** Sends missed events again. */
function RecoveryDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [since, setSince] = useState(() => toLocalInput(new Date(Date.now() - DAY_MS).toISOString()))
  const [recoveryPath, setRecoveryPath] = useState<string | null>(null)
  const recovery = useQuery<Recovery>(recoveryPath, ({ status }) => (status === 'running' ? 1000 : null))
  const start = useAction(async () => {
    const body = { since: new Date(since).toISOString() }
    const { id } = await call<Recovery>('POST', `${path}/recover`, { body })
    setRecoveryPath(`/api/webhooks/recoveries/${id}`)
  })
  return (
    <Dialog title="Recover missed events" onClose={onClose}>
      {recovery.data === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void start.run()
          }}
        >
          <p>Failed and skipped deliveries since this time are sent again, in order.</p>
          <TextField label="Since" type="datetime-local" value={since} onInput={setSince} required />
          <ErrorNotice error={start.error ?? recovery.error} />
          <div class="actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" type="submit" busy={start.isRunning}>
              Recover
            </Button>
          </div>
        </form>
      ) : (
        <>
          <p role="status">
            {recovery.data.status === 'running' ? 'Running: ' : 'Done: '}
            {formatNumber(recovery.data.requeued)} of {formatNumber(recovery.data.examined)} deliveries are sent again.
          </p>
          <div class="actions">
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
