import { useState } from 'preact/hooks'
import type { ApiKey, ApiKeyWithValue, Scope } from '../../../schemas/api-key.ts'
import { call } from '../api.ts'
import { formatDateTime } from '../format.ts'
import { useProjects } from '../projects/context.tsx'
import { getSession } from '../session.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Checkbox, TextField } from '../ui/controls.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Badge, Empty, ErrorNotice, Loaded, Notice, Page, Secret, Table, Time, type Tone } from '../ui/display.tsx'

/** What each scope allows. The order is that of the form. */
const SCOPES: Record<Scope, string> = {
  'blogs:read': 'Read published posts, feeds and the sitemap. Websites need no more',
  'blogs:write': 'Read drafts; create, edit, publish and delete posts; run visual checks',
  'products:read': 'Read products and their texts',
  'products:write': 'Create, import, edit and delete products',
  'images:read': 'Read the pictures of posts',
  'previews:write': 'Create preview links of drafts, without other access to them',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Create, edit and delete webhooks; send deliveries again',
  'events:read': 'Read the log of events',
  'audit:read': 'Read the audit log: who changed what'
}
const STATUS_TONES: Record<ApiKey['status'], Tone> = { active: 'good', disabled: 'warn', expired: 'neutral' }
const STATUS_TEXTS: Record<ApiKey['status'], string> = { active: 'Active', disabled: 'Disabled', expired: 'Expired' }

type OpenDialog = { kind: 'new' } | { kind: 'rotate' | 'delete'; key: ApiKey }

/** The API keys of the account. */
export function KeysPage() {
  const isUser = getSession()?.kind === 'session'
  const list = useQuery<{ keys: ApiKey[] }>(isUser ? '/api/keys' : null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [shown, setShown] = useState<ApiKeyWithValue | null>(null)
  const close = (): void => setDialog(null)
  const show = (key: ApiKeyWithValue): void => {
    setShown(key)
    close()
    list.reload()
  }
  const toggle = useAction(async ({ id, status }: ApiKey) => {
    await call('PATCH', `/api/keys/${id}`, { body: { disabled: status === 'active' } })
    list.reload()
  })
  const newButton = (
    <Button look="primary" icon="plus" onClick={() => setDialog({ kind: 'new' })}>
      New key
    </Button>
  )
  if (!isUser) {
    return (
      <Page title="Keys">
        <Notice tone="info">API keys are managed with a session token. Sign in with one to see them.</Notice>
      </Page>
    )
  }
  return (
    <Page title="Keys" actions={newButton}>
      {shown?.key !== undefined && (
        <Notice tone="good">
          <p>
            Copy the value of <strong>{shown.name}</strong> now. It is not shown again.
          </p>
          <Secret label={`Value of ${shown.name}`} value={shown.key} />
          <Button onClick={() => setShown(null)}>I have stored it</Button>
        </Notice>
      )}
      <ErrorNotice error={toggle.error} />
      <Loaded query={list}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title="There are no API keys yet.">
              <p>Websites and shops read and write with an API key.</p>
              {newButton}
            </Empty>
          ) : (
            <Table
              label="API keys"
              head={['Key', 'State', 'Scopes', 'Last used', 'Expires', { text: 'Actions', hidden: true }]}
            >
              {keys.map((key) => (
                <tr key={key.id}>
                  <td>
                    <strong>{key.name}</strong>
                    <span class="sub mono">
                      {key.prefix}…{key.last4}
                    </span>
                  </td>
                  <td>
                    <Badge tone={STATUS_TONES[key.status]}>{STATUS_TEXTS[key.status]}</Badge>
                  </td>
                  <td class="scopes">
                    <span class="mono small">{key.scopes.join(' ')}</span>
                    {key.projectIds !== null && <span class="sub">Only {key.projectIds.join(', ')}</span>}
                  </td>
                  <td class="nowrap">
                    <Time at={key.lastUsedAt} />
                  </td>
                  <td class="nowrap">{key.expiresAt === null ? 'never' : formatDateTime(key.expiresAt)}</td>
                  <td>
                    <span class="row-actions">
                      <Button label={`Rotate ${key.name}`} onClick={() => setDialog({ kind: 'rotate', key })}>
                        Rotate
                      </Button>
                      {key.status !== 'expired' && (
                        <Button
                          label={`${key.status === 'active' ? 'Disable' : 'Enable'} ${key.name}`}
                          onClick={() => void toggle.run(key)}
                        >
                          {key.status === 'active' ? 'Disable' : 'Enable'}
                        </Button>
                      )}
                      <Button
                        look="danger"
                        label={`Delete ${key.name}`}
                        onClick={() => setDialog({ kind: 'delete', key })}
                      >
                        Delete
                      </Button>
                    </span>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {dialog?.kind === 'new' && <NewKeyDialog onCreated={show} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <Confirm
          title={`Rotate ${dialog.key.name}?`}
          action="Rotate"
          onClose={close}
          onConfirm={async () => show(await call<ApiKeyWithValue>('POST', `/api/keys/${dialog.key.id}/rotate`))}
        >
          <p>The old value stops working at once. The new value is shown after this.</p>
        </Confirm>
      )}
      {dialog?.kind === 'delete' && (
        <Confirm
          title={`Delete ${dialog.key.name}?`}
          action="Delete"
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', `/api/keys/${dialog.key.id}`)
            list.reload()
          }}
        >
          <p>Programs that use this key receive 401 from then on.</p>
        </Confirm>
      )}
    </Page>
  )
}

const DEFAULT_SCOPES: Scope[] = ['blogs:read', 'images:read']

function NewKeyDialog({ onCreated, onClose }: { onCreated: (key: ApiKeyWithValue) => void; onClose: () => void }) {
  const { list: projects } = useProjects()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(DEFAULT_SCOPES)
  const [projectIds, setProjectIds] = useState<string[]>([])
  const [expires, setExpires] = useState('')
  const create = useAction(async () => {
    onCreated(
      await call<ApiKeyWithValue>('POST', '/api/keys', {
        body: {
          name,
          scopes,
          projectIds: projectIds.length === 0 ? null : projectIds,
          expiresAt: expires === '' ? null : new Date(expires).toISOString()
        }
      })
    )
  })
  const toggled = <T,>(values: T[], value: T, isOn: boolean): T[] =>
    isOn ? [...values, value] : values.filter((each) => each !== value)
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create.run()
        }}
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          required
          hint="Where it is used, such as Website build."
        />
        <fieldset>
          <legend>Scopes</legend>
          {(Object.entries(SCOPES) as [Scope, string][]).map(([scope, text]) => (
            <Checkbox
              key={scope}
              label={<code>{scope}</code>}
              hint={text}
              checked={scopes.includes(scope)}
              onChange={(isOn) => setScopes(toggled(scopes, scope, isOn))}
            />
          ))}
        </fieldset>
        {projects !== null && projects.length > 1 && (
          <fieldset>
            <legend>Projects</legend>
            <p class="hint">If none are selected, the key has access to all projects.</p>
            {projects.map(({ id, name: text }) => (
              <Checkbox
                key={id}
                label={text}
                checked={projectIds.includes(id)}
                onChange={(isOn) => setProjectIds(toggled(projectIds, id, isOn))}
              />
            ))}
          </fieldset>
        )}
        <TextField label="Expires" type="datetime-local" value={expires} onInput={setExpires} hint="Empty: never." />
        <ErrorNotice error={create.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={scopes.length === 0} busy={create.isRunning}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
