import { addCss } from '../edit.ts'
import type { Half, HarmlessChange, Page } from '../types.ts'

type Rest = Omit<HarmlessChange, 'half' | 'name'>

/** Harmless changes of one half, by name. A text is CSS of the site; a function changes the page. */
export const defineHarmless = (
  half: Half,
  changes: Record<string, string | ((page: Page) => void) | Rest>
): HarmlessChange[] =>
  Object.entries(changes).map(([name, change]) => {
    if (typeof change === 'function') return { name, half, apply: change }
    if (typeof change !== 'string') return { name, half, ...change }
    return {
      name,
      half,
      apply: (page) => {
        addCss(page, change)
      }
    }
  })
