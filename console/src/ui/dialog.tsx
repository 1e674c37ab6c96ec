import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../use-query.ts'
import { Button } from './controls.tsx'
import { ErrorNotice } from './display.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A modal dialog. Escape closes it; the browser keeps the focus inside and returns it afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** The text of the button that does it, such as `Delete`. */
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}

/** Asks before something that cannot be undone. Closes when it is done. */
export function Confirm({ title, action, onConfirm, onClose, children }: ConfirmProps) {
  const work = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorNotice error={work.error} />
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={work.isRunning} onClick={() => void work.run()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
