import { useState } from 'preact/hooks'
import type { EventType } from '../../../schemas/event.ts'
import type { Webhook } from '../../../schemas/webhook.ts'
import { call } from '../api.ts'
import { useProjects } from '../projects/context.tsx'
import { navigate } from '../router.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Checkbox, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Empty, ErrorNotice, Loaded, Page, Table, Time } from '../ui/display.tsx'
import { rememberSecret } from './secrets.ts'

/** When each event is sent. */
export const EVENT_TEXTS: Record<EventType, string> = {
  'products.optimized': 'Texts of products have changed',
  'products.import.completed': 'An import has finished',
  'blog.published': 'A post was published',
  'blog.updated': 'A published post was changed',
  'blog.unpublished': 'A post was unpublished',
  'blog.deleted': 'A post that had been published was deleted',
  'visual_check.completed': 'A visual check has finished'
}

/** The state of a webhook: enabled, paused because its receiver fails, or disabled. */
export function WebhookBadge({ webhook: { status, disabledBy, pausedUntil } }: { webhook: Webhook }) {
  if (status === 'disabled') {
    return <Badge tone={disabledBy === 'person' ? 'neutral' : 'bad'}>Disabled</Badge>
  }
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > Date.now()
  return isPaused ? <Badge tone="warn">Paused</Badge> : <Badge tone="good">Enabled</Badge>
}

/** The webhooks of the account. */
export function WebhooksPage() {
  const list = useQuery<{ webhooks: Webhook[] }>('/api/webhooks')
  const [isCreating, setCreating] = useState(false)
  const newButton = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      New webhook
    </Button>
  )
  return (
    <Page title="Webhooks" actions={newButton}>
      <Loaded query={list}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty title="There are no webhooks yet.">
              <p>A webhook tells your website or shop about changes, with signed requests.</p>
              {newButton}
            </Empty>
          ) : (
            <Table label="Webhooks" head={['Receiver', 'State', 'Events', 'Last success']}>
              {webhooks.map((webhook) => (
                <tr key={webhook.id}>
                  <td>
                    <a href={`#/webhooks/${webhook.id}`}>{webhook.url}</a>
                    {webhook.description !== '' && <span class="sub">{webhook.description}</span>}
                  </td>
                  <td>
                    <WebhookBadge webhook={webhook} />
                  </td>
                  <td class="mono small">{webhook.events === null ? 'all' : webhook.events.join(' ')}</td>
                  <td class="nowrap">
                    <Time at={webhook.lastSuccessAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const { list: projects } = useProjects()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<EventType[]>([])
  const [projectIds, setProjectIds] = useState<string[]>([])
  const create = useAction(async () => {
    const webhook = await call<Webhook & { secret: string }>('POST', '/api/webhooks', {
      body: {
        url,
        description,
        events: events.length === 0 ? null : events,
        projectIds: projectIds.length === 0 ? null : projectIds
      }
    })
    rememberSecret(webhook.id, webhook.secret)
    navigate(`/webhooks/${webhook.id}`)
  })
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create.run()
        }}
      >
        <TextField
          label="URL of the receiver"
          type="url"
          value={url}
          onInput={setUrl}
          required
          placeholder="https://my-site.example/hooks"
        />
        <TextField label="Description" value={description} onInput={setDescription} />
        <fieldset>
          <legend>Events</legend>
          <p class="hint">If none are selected, all events are sent.</p>
          {(Object.entries(EVENT_TEXTS) as [EventType, string][]).map(([type, text]) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              hint={text}
              checked={events.includes(type)}
              onChange={(isOn) => setEvents(isOn ? [...events, type] : events.filter((each) => each !== type))}
            />
          ))}
        </fieldset>
        {projects !== null && projects.length > 1 && (
          <fieldset>
            <legend>Projects</legend>
            <p class="hint">If none are selected, events of all projects are sent.</p>
            {projects.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={projectIds.includes(id)}
                onChange={(isOn) =>
                  setProjectIds(isOn ? [...projectIds, id] : projectIds.filter((each) => each !== id))
                }
              />
            ))}
          </fieldset>
        )}
        <ErrorNotice error={create.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isRunning}>
            Create webhook
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
