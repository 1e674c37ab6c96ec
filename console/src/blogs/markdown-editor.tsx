import { useEffect, useRef } from 'preact/hooks'
import type { MarkdownView } from './codemirror.ts'

interface Props {
  label: string
  /** The text at the start. Later changes come from the editor. */
  text: string
  format: 'markdown' | 'html'
  onChange: (text: string) => void
  onSave: () => void
  onFiles: (files: File[]) => void
  /** Receives the editor when it is ready. */
  onReady: (view: MarkdownView) => void
}

/** A Markdown editor. CodeMirror is loaded with the first one. */
export function MarkdownEditor({ label, text, format, ...handlers }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    let view: MarkdownView | null = null
    let isGone = false
    void import('./codemirror.ts').then(({ createMarkdownView }) => {
      if (isGone) return
      view = createMarkdownView(host.current!, {
        label,
        text,
        format,
        onChange: (value) => current.current.onChange(value),
        onSave: () => current.current.onSave(),
        onFiles: (files) => current.current.onFiles(files)
      })
      current.current.onReady(view)
    })
    return () => {
      isGone = true
      view?.destroy()
    }
  }, [])
  return <div class="markdown-editor" ref={host} />
}
