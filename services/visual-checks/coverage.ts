import type { ViewportSnapshot } from '../../ports/browser/port/page-snapshot.ts'
import type { VisualCheck } from '../../schemas/visual-check.ts'
import { isReadable } from './findings/hidden-by.ts'
import { shareInPage } from './findings/presence.ts'
import { rounded, shareOf } from './findings/weight.ts'

export type Coverage = NonNullable<VisualCheck['coverage']>

const least = (shares: readonly number[]): number => rounded(Math.max(0, Math.min(1, ...shares)))

/**
 * How much of the blog is in the page, can be seen, and of its CSS holds: of several viewports the
 * least, each 0 to 1.
 */
export function coverageOf(facts: readonly ViewportSnapshot[]): Coverage {
  return {
    inDom: least(facts.map((viewport) => shareInPage({ facts: viewport }))),
    visible: least(facts.map(({ blocks }) => shareOf(blocks.filter(isReadable), blocks))),
    cssHeld: least(facts.map(({ css }) => (css.declarations === 0 ? 1 : css.applied / css.declarations)))
  }
}
