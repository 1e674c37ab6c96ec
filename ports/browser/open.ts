import { refuse } from '../../errors.ts'
import type { Browser } from './port.ts'

/** NOT TO BE MERGED: a placeholder for types alone. */
export async function openBrowser (_options: { chromiumPath: string | undefined, allow: string }): Promise<Browser> {
  throw refuse('unavailable', 'No browser can be started here.')
}
