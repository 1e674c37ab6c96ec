import { useEffect, useRef, useState } from 'preact/hooks'
import { PREVIEW_READY, type PreviewMessage } from './message.ts'

/** Shows an article in a frame without access to the console. */
export function PreviewFrame({ message }: { message: PreviewMessage }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === PREVIEW_READY) setReady(true)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    // The sandbox gives the frame an opaque origin, which no target origin can name.
    if (isReady) frame.current?.contentWindow?.postMessage(message, '*')
  }, [isReady, message])
  return <iframe ref={frame} class="preview" title="Preview" src="/console/preview.html" sandbox="allow-scripts" />
}
