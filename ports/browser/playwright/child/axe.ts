import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ViewportSnapshot } from '../../port/page-snapshot.ts'
import { GLOBAL, type IsolatedWorld } from './isolated-world.ts'

/** Rules that the visual check implements itself, or that do not concern an article. */
const DISABLED_RULES = [
  'color-contrast',
  'document-title',
  'html-has-lang',
  'html-lang-valid',
  'meta-viewport',
  'scrollable-region-focusable',
  'target-size',
  'link-in-text-block',
  'page-has-heading-one',
  'region',
  'bypass'
]
let source: Promise<string> | null = null

/**
 * Runs axe-core (https://github.com/dequelabs/axe-core) on the article that `capturePage` found in
 * this world, with the rules of WCAG 2.1 A and AA.
 */
export async function runAxe(world: IsolatedWorld): Promise<ViewportSnapshot['axe']> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const options = {
    resultTypes: ['violations'],
    elementRef: true,
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
    rules: Object.fromEntries(DISABLED_RULES.map((rule) => [rule, { enabled: false }]))
  }
  return await world.run(`(async () => {
    ${await source}
    const { violations } = await axe.run(measuredArticle.root, ${JSON.stringify(options)})
    return ${GLOBAL}.describeViolations(violations, measuredArticle)
  })()`)
}
