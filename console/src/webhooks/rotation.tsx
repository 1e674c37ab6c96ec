import { useState } from 'preact/hooks'
import type { PingResult, Webhook } from '../../../schemas/webhook.ts'
import { call } from '../api.ts'
import { formatDateTime } from '../format.ts'
import { useAction } from '../use-query.ts'
import { Button, Select } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, ErrorNotice, Secret } from '../ui/display.tsx'

const OVERLAPS = [
  ['24', '24 hours'],
  ['1', '1 hour'],
  ['168', '7 days'],
  ['0', 'None: the old secret leaked']
] as const

interface Props {
  webhook: Webhook
  onChange: (webhook: Webhook) => void
  onClose: () => void
}

/** Replaces the signing secret in three steps, without an interruption. */
export function RotationDialog({ webhook, onChange, onClose }: Props) {
  const [overlapHours, setOverlap] = useState<(typeof OVERLAPS)[number][0]>('24')
  const [rotated, setRotated] = useState<(Webhook & { secret: string }) | null>(null)
  const [ping, setPing] = useState<PingResult | null>(null)
  const path = `/api/webhooks/${webhook.id}`
  const rotate = useAction(async () => {
    const body = { overlapHours: Number(overlapHours) }
    const { secret, ...next } = await call<Webhook & { secret: string }>('POST', `${path}/rotate-secret`, { body })
    setRotated({ ...next, secret })
    onChange(next)
  })
  const test = useAction(async () => {
    setPing(await call<PingResult>('POST', `${path}/test`))
  })
  return (
    <Dialog title="Rotate the signing secret" onClose={onClose}>
      <ol class="wizard">
        <li aria-current={rotated === null ? 'step' : undefined}>
          <h3>Create a new secret</h3>
          {rotated === null ? (
            <div class="stack">
              <p class="muted">During the overlap, every request is signed with both secrets.</p>
              <Select label="Overlap" value={overlapHours} options={OVERLAPS} onChange={setOverlap} />
              <ErrorNotice error={rotate.error} />
              <Button look="primary" busy={rotate.isRunning} onClick={() => void rotate.run()}>
                Create secret
              </Button>
            </div>
          ) : (
            <p class="muted">
              Done.{' '}
              {rotated.secretExpiresAt !== null &&
                `The old one is valid until ${formatDateTime(rotated.secretExpiresAt)}.`}
            </p>
          )}
        </li>
        <li aria-current={rotated !== null && ping === null ? 'step' : undefined}>
          <h3>Store it in your receiver</h3>
          {rotated !== null && (
            <div class="stack">
              <p class="muted">It is not shown again.</p>
              <Secret label="New signing secret" value={rotated.secret} />
            </div>
          )}
        </li>
        <li>
          <h3>Test the receiver</h3>
          {rotated !== null && (
            <div class="stack">
              <ErrorNotice error={test.error} />
              {ping !== null && (
                <p role="status">
                  <Badge tone={ping.delivered ? 'good' : 'bad'}>{ping.delivered ? 'Delivered' : 'Failed'}</Badge>{' '}
                  {ping.status === null ? ping.detail : `Status ${ping.status}`}
                </p>
              )}
              <Button busy={test.isRunning} onClick={() => void test.run()}>
                Send a test event
              </Button>
            </div>
          )}
        </li>
      </ol>
      <div class="actions">
        <Button onClick={onClose}>{rotated === null ? 'Cancel' : 'Finish'}</Button>
      </div>
    </Dialog>
  )
}
