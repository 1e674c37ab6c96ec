import type { CDPSession } from 'playwright'
import type { IsolatedWorld } from './isolated-world.ts'
import { HALF } from './reference-captures.ts'

/** The size of a viewport that the browser emulates, in CSS pixels. */
export interface EmulatedViewport {
  width: number
  height: number
  isMobile: boolean
}

/** Elements in viewport units grow with the viewport. */
const MAX_RESIZES = 2

/**
 * Makes the viewport as high as the page, up to `maxHeight`: one capture of a high viewport is faster than one of
 * each screen, and shows no layer twice. The layout stays as it is, but the browser paints the page at half the size:
 * for each capture of a clip it draws a frame before and one afterwards, and those take most of the time on long pages.
 */
export async function showWholePage(
  { cdp, world, viewport }: { cdp: CDPSession; world: IsolatedWorld; viewport: EmulatedViewport },
  maxHeight: number
): Promise<void> {
  const { width } = viewport
  for (let { height } = viewport, attempt = 1; attempt <= MAX_RESIZES; attempt++) {
    const needed = Math.min(maxHeight, await world.run<number>('document.documentElement.scrollHeight'))
    if (needed <= height && attempt > 1) break
    height = Math.max(height, needed)
    await cdp.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      screenWidth: width,
      screenHeight: height,
      deviceScaleFactor: 1,
      mobile: viewport.isMobile,
      screenOrientation: viewport.isMobile
        ? { type: 'portraitPrimary', angle: 0 }
        : { type: 'landscapePrimary', angle: 0 },
      scale: HALF
    })
  }
}
