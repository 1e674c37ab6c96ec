import type { EmbedSnapshot } from '../../../ports/browser/port/media-snapshot.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** On less, nothing can be recognized. */
const MIN_WIDTH_PX = 100
const MIN_HEIGHT_PX = 60
/** The page or the video refuses to be shown. Other failures may be those of the network. */
const REFUSED = /^[45]\d\d$|ERR_BLOCKED_BY|ERR_INVALID/

function report({ snapshot: { embeds = [] } }: RuleInput, bad: readonly EmbedSnapshot[]): RuleHit | null {
  const [first] = bad
  if (first === undefined) return null
  return {
    extent: bad.length / embeds.length,
    places: bad.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { videos: bad.slice(0, 5).map(({ expected }) => expected.slice(0, 300)) }
  }
}

const detectMissing = (input: RuleInput): RuleHit | null =>
  report(
    input,
    (input.snapshot.embeds ?? []).filter(({ kind }) => kind === 'missing')
  )

function detectBroken(input: RuleInput): RuleHit | null {
  const { embeds = [], runtime } = input.snapshot
  const errorOf = ({ src }: EmbedSnapshot): string | undefined =>
    runtime.failures.find(({ url, reason }) => src !== '' && REFUSED.test(reason) && url === src)?.reason
  const isUnseen = ({ visible, width, height }: EmbedSnapshot): boolean =>
    !visible || width < MIN_WIDTH_PX || height < MIN_HEIGHT_PX
  const broken = embeds.filter((one) => one.kind === 'frame' && (isUnseen(one) || errorOf(one) !== undefined))
  const hit = report(input, broken)
  if (hit === null) return null
  const { width, height } = broken[0]!
  const reason = broken.map(errorOf).find((one) => one !== undefined)
  return { ...hit, evidence: { ...hit.evidence, ...(reason === undefined ? { width, height } : { reason }) } }
}

/** The blog's videos. */
export const embedRules: readonly Rule[] = [
  {
    code: 'EMBED_MISSING',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'A video of the blog is missing from the page.',
    advice: 'Keep the `<iframe>` elements of `htmlContent`. Look for a filter or a policy that removes them.',
    detect: detectMissing
  },
  {
    code: 'EMBED_BROKEN',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'A video does not load, or has no visible area.',
    advice: 'Check `frame-src` in the Content Security Policy, the URL of the video, and the size of its frame.',
    detect: detectBroken
  }
]
