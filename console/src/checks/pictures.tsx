import { useEffect, useState } from 'preact/hooks'
import type { VisualCheckScreenshot, VisualFinding, ViewportName } from '../../../schemas/visual-check.ts'
import { messageOf, send } from '../api.ts'
import { ErrorNotice } from '../ui/display.tsx'

/**
 * A screenshot as the URL of a blob: the API sends screenshots only with a credential, which an `img`
 * cannot carry.
 */
function useScreenshot(screenshot: VisualCheckScreenshot | undefined): { url: string | null; error: string | null } {
  const [state, setState] = useState<{ url: string | null; error: string | null }>({ url: null, error: null })
  const address = screenshot?.url
  useEffect(() => {
    if (address === undefined) return
    const abort = new AbortController()
    let url: string | null = null
    send('GET', new URL(address, location.href).pathname, { signal: abort.signal })
      .then(async (response) => await response.blob())
      .then(
        (blob) => {
          if (abort.signal.aborted) return
          url = URL.createObjectURL(blob)
          setState({ url, error: null })
        },
        (error: unknown) => {
          if (!abort.signal.aborted) setState({ url: null, error: messageOf(error) })
        }
      )
    return () => {
      abort.abort()
      if (url !== null) URL.revokeObjectURL(url)
      setState({ url: null, error: null })
    }
  }, [address])
  return state
}

interface PageProps {
  screenshot: VisualCheckScreenshot
  findings: VisualFinding[]
  viewport: ViewportName
  /** The index of the finding whose places light up; null for none. */
  active: number | null
}

/** The screenshot of a page with the places of the findings. */
export function PagePicture({ screenshot, findings, viewport, active }: PageProps) {
  const { url, error } = useScreenshot(screenshot)
  const { width, height } = screenshot
  const boxes = findings.flatMap(({ locations, severity, code }, index) =>
    locations
      .filter((location) => location.viewport === viewport && location.box !== null && location.box.y < height)
      .map(({ box }) => ({ index, severity, code, box: box! }))
  )
  return (
    <figure class={`page-picture ${viewport}`} tabIndex={0} role="group" aria-label={`The page, ${viewport}`}>
      <ErrorNotice error={error} />
      {url === null ? (
        error === null && <p class="loading">Loading the picture…</p>
      ) : (
        <div class="picture-box">
          <img src={url} width={width} height={height} alt={`Screenshot of the page, ${viewport}`} />
          <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {boxes.map(({ index, severity, box }, position) => (
              <rect
                key={position}
                class={`place ${severity} ${index === active ? 'active' : ''}`}
                {...box}
                ref={(element) => {
                  const isFirst = boxes.findIndex((each) => each.index === index) === position
                  if (element !== null && index === active && isFirst) showInBox(element)
                }}
              />
            ))}
          </svg>
        </div>
      )}
    </figure>
  )
}

/** Scrolls the picture, not the page, so that the place is visible. */
function showInBox(place: Element): void {
  const frame = place.closest('.page-picture')!
  const offset = place.getBoundingClientRect().top - frame.getBoundingClientRect().top
  frame.scrollTop += offset - frame.clientHeight / 3
}

interface CompareProps {
  before: VisualCheckScreenshot
  after: VisualCheckScreenshot
  beforeText: string
  afterText: string
}

/** Two pictures on top of each other, with a slider that uncovers the second one. */
export function Compare({ before, after, beforeText, afterText }: CompareProps) {
  const [share, setShare] = useState(50)
  const first = useScreenshot(before)
  const second = useScreenshot(after)
  if ((first.error ?? second.error) !== null) return <ErrorNotice error={first.error ?? second.error} />
  if (first.url === null || second.url === null) return <p class="loading">Loading the pictures…</p>
  return (
    <figure class="compare">
      <div class="compare-pictures">
        <img src={first.url} width={before.width} height={before.height} alt={beforeText} />
        <img
          style={{ clipPath: `inset(0 0 0 ${share}%)` }}
          src={second.url}
          width={after.width}
          height={after.height}
          alt={afterText}
        />
      </div>
      <figcaption>
        <span>{beforeText}</span>
        <input
          type="range"
          min="0"
          max="100"
          value={share}
          aria-label={`From “${beforeText}” to “${afterText}”`}
          onInput={(event) => setShare(Number(event.currentTarget.value))}
        />
        <span>{afterText}</span>
      </figcaption>
    </figure>
  )
}
