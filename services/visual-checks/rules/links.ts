import type { LinkSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { withoutTrailingSlash } from '../../../lib/text.ts'
import { isUnchanged, getTextMatch } from './helpers/text-match.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Pages of a site that count clicks and redirect to the target. */
const REDIRECTING_PATH = /^\/(?:go|out|away|exit|r|redirect|link|url|click)(?:\/|$|\?|\.)/i

function parse(url: string | null): URL | null {
  return url !== null && URL.canParse(url) ? new URL(url) : null
}

const getHost = ({ host }: URL): string => host.replace(/^www\./, '').toLowerCase()
/** Without a trailing slash, an index file or an extension. */
const getPath = ({ pathname }: URL): string =>
  withoutTrailingSlash(pathname.replace(/\/index\.(?:html?|php)$/i, '/')).replace(/\.html?$/i, '')

/**
 * Whether a link leads where the blog's link leads. A site may add parameters, move its own pages
 * below a path, use another protocol, or count clicks on the way.
 */
function leadsToTarget({ expected, resolved, actual, targetExists }: LinkSnapshot, pageUrl: string): boolean {
  if (actual === null || actual === '' || !targetExists) return false
  const [wanted, found, page] = [parse(expected), parse(resolved), parse(pageUrl)]
  // An invalid address of the author is not the site's fault.
  if (wanted === null) return true
  if (found === null) return false
  if (wanted.href === found.href) return true
  if (!/^https?:$/.test(wanted.protocol)) return wanted.protocol === found.protocol
  if (!/^https?:$/.test(found.protocol)) return false
  if (isPassedOn(found, wanted) || REDIRECTING_PATH.test(found.pathname)) return true
  const isFragment = page !== null && wanted.hash !== '' && isSameDocument(wanted, page)
  if (isFragment) return found.hash !== '' && targetExists
  const isOwnPage = page !== null && getHost(wanted) === getHost(page)
  // A site may have other paths for its own pages, and another host for its own content.
  return isOwnPage ? getPath(found).endsWith(getPath(wanted)) : isSameDocument(found, wanted)
}

const isSameDocument = (one: URL, other: URL): boolean =>
  getHost(one) === getHost(other) && getPath(one) === getPath(other)

/** Whether a parameter or a part of the path has the wanted address. */
const isPassedOn = (found: URL, wanted: URL): boolean => {
  const address = wanted.host + withoutTrailingSlash(wanted.pathname)
  return [...found.searchParams.values()].some((value) => value.includes(address)) || found.pathname.includes(address)
}

function detectChangedTargets(input: RuleInput): RuleHit | null {
  const { links, blocks, runtime } = input.snapshot
  if (getTextMatch(input) !== 'present') return null
  // A changed text may have lost its link with its words.
  const changed = new Set(blocks.filter((block) => !isUnchanged(block)).map(({ index }) => index))
  const compared = links.filter(({ block, actual }) => actual !== null || !changed.has(block))
  const wrong = compared.filter((link) => !leadsToTarget(link, runtime.finalUrl))
  const [first] = wrong
  if (first === undefined) return null
  return {
    extent: wrong.length / compared.length,
    places: wrong.map(({ selector, box, block }) => ({ place: { selector, box }, block })),
    evidence: {
      links: compared.length,
      changed: wrong.slice(0, 5).map(({ expected, actual }) => ({ expected: expected.slice(0, 300), actual }))
    },
    expected: first.expected.slice(0, 300),
    ...(first.actual === null ? {} : { actual: first.actual.slice(0, 300) })
  }
}

/** The blog's links. */
export const linkRules: readonly Rule[] = [
  {
    code: 'LINK_TARGETS_CHANGED',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Links of the blog lead to other targets, or are no links.',
    advice: 'Keep the `href` of the links in `htmlContent`, and the ids of its headings.',
    detect: detectChangedTargets
  }
]
