import { getArticlePlaces, getReadableBlocks, getShare } from './helpers/blocks.ts'
import { detectFailedRequests, getHost, isFavicon } from './helpers/page.ts'
import { clearlyExceeds, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** https://web.dev/articles/cls: good up to 0.1, poor above 0.25. */
const GOOD_LAYOUT_SHIFT = 0.1
const POOR_LAYOUT_SHIFT = 0.25

function detectLayoutShift({ snapshot }: RuleInput): RuleHit | null {
  const { layoutShift } = snapshot
  if (!clearlyExceeds(layoutShift, GOOD_LAYOUT_SHIFT)) return null
  return {
    extent: clearlyExceeds(layoutShift, POOR_LAYOUT_SHIFT) ? 1 : 0.5,
    places: getArticlePlaces(snapshot),
    evidence: { movement: round(layoutShift, 2) }
  }
}

/** Errors in third-party scripts are reported as info. */
function detectJsError({ snapshot: { runtime } }: RuleInput): RuleHit | null {
  if (runtime.exceptions.length === 0) return null
  const host = getHost(runtime.finalUrl)
  const ownErrors = runtime.exceptions.filter(
    ({ source }) => source === null || getHost(source) === '' || getHost(source) === host
  )
  const errors = ownErrors.length > 0 ? ownErrors : runtime.exceptions
  return {
    extent: 0.5,
    places: [],
    count: errors.length,
    evidence: { errors: errors.slice(0, 3).map(({ message, source }) => ({ message: message.slice(0, 200), source })) },
    ...(ownErrors.length > 0 ? {} : { severity: 'info' as const, scope: 'site' as const })
  }
}

/** Stylesheets and the blog's images have rules of their own. Images of the site do not affect reading. */
const OTHER_RULES = ['stylesheet', 'image', 'document']

/** Less severe unless a script failed. */
function detectResourceFailed(input: RuleInput): RuleHit | null {
  const hit = detectFailedRequests(input, ({ sameHost, type }) => sameHost && !OTHER_RULES.includes(type))
  if (hit === null) return null
  const script = detectFailedRequests(input, ({ sameHost, type }) => sameHost && type === 'script')
  return script ? hit : { ...hit, severity: 'low' }
}

const SLOW_RESPONSE_MS = 3000
const VERY_SLOW_MS = 8000

function detectSlowResponse({ snapshot }: RuleInput): RuleHit | null {
  const { responseMs } = snapshot.runtime
  if (!clearlyExceeds(responseMs, SLOW_RESPONSE_MS)) return null
  return { extent: clearlyExceeds(responseMs, VERY_SLOW_MS) ? 1 : 0.5, places: [], evidence: { responseMs } }
}

const SLOW_RENDER_MS = 4000
/** From here on, the response time is reported by its own rule and does not count as rendering. */
const REPORTED_RESPONSE_MS = 3300

function detectSlowRender(input: RuleInput): RuleHit | null {
  const { runtime, blocks } = input.snapshot
  const { responseMs, firstContentMs } = runtime
  if (firstContentMs === null) {
    // The text became visible only at the end: something blocked rendering all the time.
    const isVisible = getShare(getReadableBlocks(input), blocks) > 0.5
    return isVisible ? { extent: 1, places: [], evidence: { firstContentMs } } : null
  }
  const renderMs = firstContentMs - (responseMs > REPORTED_RESPONSE_MS ? responseMs : 0)
  if (!clearlyExceeds(renderMs, SLOW_RENDER_MS)) return null
  const extent = clearlyExceeds(renderMs, VERY_SLOW_MS) ? 1 : 0.5
  return { extent, places: [], evidence: { firstContentMs, responseMs } }
}

const MIN_FONT_SHARE = 0.1

function detectBlockingFont({ snapshot }: RuleInput): RuleHit | null {
  const share = Math.min(
    1,
    snapshot.lateFonts.reduce((sum, font) => sum + font.share, 0)
  )
  if (share <= MIN_FONT_SHARE) return null
  const families = snapshot.lateFonts.slice(0, 3).map(({ family }) => family)
  return { extent: share, places: getArticlePlaces(snapshot), evidence: { share: round(share), families } }
}

/** Stylesheets and scripts block rendering. */
const BLOCKS_RENDERING = /\.(?:css|m?js)(?:$|[?#])/i

function detectEndlessLoading({ snapshot: { runtime } }: RuleInput): RuleHit | null {
  const pending = [...new Set(runtime.pending)]
    .filter((url) => getHost(url) === getHost(runtime.finalUrl) && !isFavicon(url))
    .sort()
  if (pending.length === 0) return null
  return {
    extent: 0.5,
    places: [],
    count: pending.length,
    evidence: { pending: pending.slice(0, 5).map((url) => url.slice(0, 300)) },
    ...(pending.some((url) => BLOCKS_RENDERING.test(url)) ? { severity: 'medium' as const } : {})
  }
}

function detectDialog({ snapshot }: RuleInput): RuleHit | null {
  const { dialogs } = snapshot.runtime
  if (dialogs.length === 0) return null
  const texts = dialogs.slice(0, 3).map((text) => text.slice(0, 200))
  return { extent: 0.5, places: [], count: dialogs.length, evidence: { dialogs: texts } }
}

/** Loading, scripts and requests. */
export const runtimeRules: readonly Rule[] = [
  {
    code: 'LAYOUT_SHIFT',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The text shifts while the page loads.',
    advice: 'Reserve space for images, banners and fonts that load late.',
    detect: detectLayoutShift
  },
  {
    code: 'JS_ERROR',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'A script throws an error.',
    advice: "Look for the error in the browser's console.",
    detect: detectJsError
  },
  {
    code: 'RESOURCE_FAILED',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'A script, font or data request of the site fails.',
    advice: 'Check the failed URLs: they may be deleted, renamed or blocked.',
    detect: detectResourceFailed
  },
  {
    code: 'THIRD_PARTY_FAILED',
    category: 'runtime',
    severity: 'info',
    scope: 'site',
    version: 1,
    message: 'A third-party request fails.',
    advice: 'Check whether the page still needs the resource.',
    detect: (input) => detectFailedRequests(input, ({ sameHost, type }) => !sameHost && type !== 'image')
  },
  {
    code: 'SLOW_RESPONSE',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The server responds slowly.',
    advice: 'Reduce the server response time, or cache rendered pages.',
    detect: detectSlowResponse
  },
  {
    code: 'SLOW_RENDER',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'The text becomes visible late.',
    advice: 'Look for stylesheets, fonts and scripts that block rendering.',
    detect: detectSlowRender,
    suppresses: { always: ['ENDLESS_LOADING', 'IMAGE_NOT_LOADED'] }
  },
  {
    code: 'FONT_BLOCKS_TEXT',
    category: 'runtime',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'Text is invisible while its font loads.',
    advice: 'Set `font-display: swap`, and serve fonts from a nearby server.',
    detect: detectBlockingFont,
    suppresses: { always: ['ENDLESS_LOADING', 'SLOW_RENDER'] }
  },
  {
    code: 'ENDLESS_LOADING',
    category: 'runtime',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: 'The page never finishes loading.',
    advice: 'Check the pending URLs: they do not respond.',
    detect: detectEndlessLoading
  },
  {
    code: 'DIALOG_SHOWN',
    category: 'runtime',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'A browser dialog interrupts readers.',
    advice: "Remove `alert()`, `confirm()` and `prompt()` from the page's scripts.",
    detect: detectDialog
  }
]
