import { useState } from 'preact/hooks'
import type { BlogDraft } from '../../../schemas/blog.ts'
import { call } from '../api.ts'
import { pageUrlOf } from '../checks/running.tsx'
import { formatDateTime, toLocalInput } from '../format.ts'
import { useProjects } from '../projects/context.tsx'
import { navigate } from '../router.ts'
import { useAction } from '../use-query.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/display.tsx'

interface Props {
  blog: BlogDraft
  isDirty: boolean
  /** Saves the changes, if there are any. */
  onSave: () => Promise<void>
  onChange: (blog: BlogDraft) => void
}

const HOUR_MS = 3_600_000

/** Publishes, schedules, unpublishes and deletes a post. */
export function PublishActions({ blog, isDirty, onSave, onChange }: Props) {
  const { list: projects } = useProjects()
  const [dialog, setDialog] = useState<'schedule' | 'unpublish' | 'delete' | null>(null)
  const close = (): void => setDialog(null)
  const publish = useAction(async () => {
    await onSave()
    onChange(await call<BlogDraft>('POST', `/api/v1/blogs/${blog.id}/publish`, { body: {} }))
  })
  const isPublic = blog.status === 'published'
  const isScheduled = blog.status === 'scheduled'
  const project = projects?.find(({ id }) => id === blog.projectId)
  const pageUrl = project === undefined ? null : pageUrlOf(project, blog)
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
        <Button look="primary" busy={publish.isRunning} onClick={() => void publish.run()}>
          {isDirty ? 'Save and publish' : 'Publish'}
        </Button>
      )}
      {isPublic && pageUrl !== null && (
        <a class="button" href={pageUrl} target="_blank" rel="noreferrer">
          View page
        </a>
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
      {dialog === 'schedule' && (
        <ScheduleDialog blog={blog} isDirty={isDirty} onSave={onSave} onChange={onChange} onClose={close} />
      )}
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

function ScheduleDialog({ blog, isDirty, onSave, onChange, onClose }: Props & { onClose: () => void }) {
  const [time, setTime] = useState(() => toLocalInput(blog.publishAt ?? new Date(Date.now() + HOUR_MS).toISOString()))
  const schedule = useAction(async () => {
    const publishAt = new Date(time)
    if (Number.isNaN(publishAt.getTime()) || publishAt.getTime() <= Date.now()) {
      throw new Error('Choose a time in the future.')
    }
    await onSave()
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
        {isDirty && <p>Your changes are saved first.</p>}
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
