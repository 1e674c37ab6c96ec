import { refuse } from '../../../errors.ts'
import type { Browser } from '../port.ts'

/** Stands for the real one. */
export async function openPlaywrightBrowser (_options: { chromiumPath?: string, allow: string }): Promise<Browser> {
  throw refuse('unavailable', 'No browser could be started for the check.')
}
