import type { Picture } from '../../../ports/browser/port.ts'
import type { ScreenshotDetail, VisualCheckScreenshot, VisualFinding } from '../../../schemas/visual-check.ts'

/** NOT TO BE MERGED: a placeholder for types alone. */
export type DrawnPicture = Omit<VisualCheckScreenshot, 'url'> & { bytes: Buffer }
export async function * drawPictures (_drawing: { pictures: Picture[], findings: VisualFinding[], detail: ScreenshotDetail }): AsyncGenerator<DrawnPicture> {}
