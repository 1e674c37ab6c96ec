import { readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { clearlyOver, shareOf } from './weight.ts'

const SLOW_MS = 4000
const VERY_SLOW_MS = 8000
/** What a slow answer took is charged there. */
const SLOW_RESPONSE_MS = 3300

export const slowRender: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'It takes long until the text can be read.',
  advice: 'Look for stylesheets, fonts and scripts that hold back the first content.',
  find
}

/** Null though most of the text could be seen at the end: it was held back for the whole time. */
function find(sight: Sight): Found | null {
  const {
    facts: {
      runtime: { responseMs, firstContentMs },
      blocks
    }
  } = sight
  if (firstContentMs === null) {
    return shareOf(readableBlocks(sight), blocks) > 0.5 ? { extent: 1, places: [], evidence: { firstContentMs } } : null
  }
  const renderMs = firstContentMs - (responseMs > SLOW_RESPONSE_MS ? responseMs : 0)
  return clearlyOver(renderMs, SLOW_MS)
    ? { extent: clearlyOver(renderMs, VERY_SLOW_MS) ? 1 : 0.5, places: [], evidence: { firstContentMs, responseMs } }
    : null
}
