import type { Page } from 'playwright'
import type { ScreenshotDetail, ViewportName } from '../../../schemas/visual-check.ts'
import type { Screenshot } from '../port.ts'
import { VIEWPORTS } from './view.ts'

const SCREENS = 3
const TALLEST_PX = 8_000
const LONGEST_MS = 6_000

/**
 * Takes the pictures that are asked for: the viewport alone, or with the first screens of the page.
 * A page that cannot be photographed in time has none.
 */
export async function takePictures(
  page: Page,
  { viewport, detail }: { viewport: ViewportName; detail: ScreenshotDetail }
): Promise<Screenshot[]> {
  if (detail === 'none') return []
  const { width, height } = VIEWPORTS[viewport].viewport
  const shared = { type: 'png', animations: 'disabled', caret: 'hide', timeout: LONGEST_MS } as const
  const shots: Promise<Screenshot | null>[] = []
  const told =
    (kind: Screenshot['kind'], layoutWidth: number) =>
    (png: Buffer): Screenshot => {
      const size = sizeOf(png)
      return { viewport, kind, png, ...size, scale: size.width / layoutWidth }
    }
  const layout = (await page.evaluate(
    '({ width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })'
  )) as { width: number; height: number }
  shots.push(page.screenshot(shared).then(told('viewport', layout.width), () => null))
  if (detail === 'full') {
    const zoom = layout.width / width
    const tall = Math.min(layout.height, Math.round(height * zoom * SCREENS), TALLEST_PX)
    shots.push(
      page
        .screenshot({ ...shared, fullPage: true, clip: { x: 0, y: 0, width: layout.width, height: tall } })
        .then(told('page', layout.width), () => null)
    )
  }
  return (await Promise.all(shots)).filter((shot) => shot !== null)
}

/** Reads the size from the head of a PNG (its IHDR chunk). */
const sizeOf = (png: Buffer): { width: number; height: number } => ({
  width: png.readUInt32BE(16),
  height: png.readUInt32BE(20)
})
