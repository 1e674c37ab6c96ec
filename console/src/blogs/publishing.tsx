import { useState } from 'preact/hooks'
import type { BlogDraft } from '../../../schemas/blog.ts'
import { call } from '../api.ts'
import { formatDateTime, toLocalInput } from '../format.ts'
import { navigate } from '../router.ts'
import { useAction } from '../use-query.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../ui/display.tsx'

interface Props {
  blog: BlogDraft
  /** Unsaved changes are not published. */
  isDirty: boolean
  onChange: (blog: BlogDraft) => void
}

const HOUR_MS = 3_600_000

/** Publishes, schedules, unpublishes and deletes a post. */
export function PublishActions({ blog, isDirty, onChange }: Props) {
  const [dialog, setDialog] = useState<'schedule' | 'unpublish' | 'delete' | null>(null)
  const close = (): void => setDialog(null)
  const publish = useAction(async () => {
    onChange(await call<BlogDraft>('POST', `/api/v1/blogs/${blog.id}/publish`, { body: {} }))
  })
  const isPublic = blog.status === 'published'
  const isScheduled = blog.status === 'scheduled'
  return (
    <>
      {(isPublic || isScheduled) && (
        <Button onClick={() => setDialog('unpublish')}>{isScheduled ? 'Cancel schedule' : 'Unpublish'}</Button>
      )}
      {!isPublic && <Button onClick={() => setDialog('schedule')}>Schedule</Button>}
      <Button look="danger" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      {!isPublic && (
        <Button look="primary" disabled={isDirty} busy={publish.isRunning} onClick={() => void publish.run()}>
          Publish
        </Button>
      )}
      {isPublic && (
        <a class="button" href={`#/checks/${blog.id}`}>
          Check the page
        </a>
      )}
      {publish.error !== null && (
        <Dialog title="The post was not published" onClose={publish.clearError}>
          <ErrorNotice error={publish.error} />
        </Dialog>
      )}
      {dialog === 'schedule' && <ScheduleDialog blog={blog} isDirty={isDirty} onChange={onChange} onClose={close} />}
      {dialog === 'unpublish' && (
        <Confirm
          title={isScheduled ? 'Cancel the schedule?' : 'Unpublish this post?'}
          action={isScheduled ? 'Cancel schedule' : 'Unpublish'}
          onClose={close}
          onConfirm={async () => {
            onChange(await call<BlogDraft>('POST', `/api/v1/blogs/${blog.id}/unpublish`))
          }}
        >
          <p>
            {isScheduled
              ? 'The post becomes a draft again.'
              : 'Websites no longer receive it. Its address stays reserved, and you can publish it again.'}
          </p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this post?"
          action="Delete"
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', `/api/v1/blogs/${blog.id}`)
            navigate('/blogs')
          }}
        >
          <p>The post and its pictures are deleted for good. Its address responds with 404 from then on.</p>
        </Confirm>
      )}
    </>
  )
}

function ScheduleDialog({ blog, isDirty, onChange, onClose }: Props & { onClose: () => void }) {
  const [time, setTime] = useState(() => toLocalInput(blog.publishAt ?? new Date(Date.now() + HOUR_MS).toISOString()))
  const schedule = useAction(async () => {
    const publishAt = new Date(time)
    if (Number.isNaN(publishAt.getTime()) || publishAt.getTime() <= Date.now()) {
      throw new Error('Choose a time in the future.')
    }
    onChange(
      await call<BlogDraft>('POST', `/api/v1/blogs/${blog.id}/publish`, {
        body: { publishAt: publishAt.toISOString() }
      })
    )
    onClose()
  })
  return (
    <Dialog title="Schedule this post" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void schedule.run()
        }}
      >
        {isDirty && <Notice tone="warn">Save your changes first: the saved version is published.</Notice>}
        {blog.publishAt !== null && <p>It is scheduled for {formatDateTime(blog.publishAt)}.</p>}
        <TextField
          label="Publish at"
          type="datetime-local"
          value={time}
          onInput={setTime}
          required
          hint={`Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
        />
        <ErrorNotice error={schedule.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={schedule.isRunning}>
            Schedule
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
