import type { Page } from 'playwright'
import type { ScreenshotDetail, ViewportName } from '../../../../schemas/visual-check.ts'
import type { Screenshot } from '../../port.ts'
import { VIEWPORTS } from './inspect-viewport.ts'
import type { IsolatedWorld } from './isolated-world.ts'

/** A screenshot of the page shows at most this many screens and pixels. */
const MAX_SCREENS = 3
const MAX_HEIGHT_PX = 8_000
/** A page may declare a layout of up to 10,000 pixels in width. */
const MAX_PIXELS = 1_366 * MAX_HEIGHT_PX
/** A screenshot of noise has about 3 bytes for each pixel. Larger ones are left out. */
const MAX_BYTES = 12 * 2 ** 20
const TIMEOUT_MS = 6_000

/**
 * Takes the requested screenshots: of the viewport, and with `full` also of the first screens of the
 * page. Returns none for a page that cannot be captured in time.
 */
export async function takeScreenshots(
  page: Page,
  { viewport, detail, world }: { viewport: ViewportName; detail: ScreenshotDetail; world: IsolatedWorld }
): Promise<Screenshot[]> {
  if (detail === 'none') return []
  const { width, height } = VIEWPORTS[viewport].viewport
  const options = { type: 'png', animations: 'disabled', caret: 'hide', timeout: TIMEOUT_MS } as const
  const screenshots: Promise<Screenshot | null>[] = []
  const toScreenshot =
    (kind: Screenshot['kind'], layoutWidth: number) =>
    (png: Buffer): Screenshot | null => {
      if (png.length > MAX_BYTES) return null
      const size = sizeOf(png)
      return { viewport, kind, png, ...size, scale: size.width / layoutWidth }
    }
  const layout = await world.run<{ width: number; height: number }>(
    '({ width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })'
  )
  screenshots.push(page.screenshot(options).then(toScreenshot('viewport', layout.width), () => null))
  if (detail === 'full') {
    const zoom = layout.width / width
    const maxHeight = Math.min(MAX_HEIGHT_PX, Math.floor(MAX_PIXELS / layout.width))
    const clipHeight = Math.min(layout.height, Math.round(height * zoom * MAX_SCREENS), maxHeight)
    const clip = { x: 0, y: 0, width: layout.width, height: clipHeight }
    screenshots.push(
      page.screenshot({ ...options, fullPage: true, clip }).then(toScreenshot('page', layout.width), () => null)
    )
  }
  return (await Promise.all(screenshots)).filter((one) => one !== null)
}

/** The size in the header of a PNG (its IHDR chunk). */
const sizeOf = (png: Buffer): { width: number; height: number } => ({
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20)
})
