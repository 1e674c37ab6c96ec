import { getCanonicalUrls, getMetaContents, isHeadlineOf, isSamePage, parseJsonLd } from './helpers/page.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

const ROBOTS_KEYS = ['robots', 'googlebot', 'bingbot', 'x-robots-tag']
/** The header may name a crawler. Values such as `max-image-preview:none` do not forbid indexing. */
const FORBIDS_INDEXING = /^(?:[\w-]*bot:)?(?:noindex|none)$/

/** Expected on staging: reported as info there. */
function detectNoindex({ snapshot, expected }: RuleInput): RuleHit | null {
  const directives = ROBOTS_KEYS.flatMap((key) => getMetaContents(snapshot, key)).find((content) =>
    content
      .toLowerCase()
      .split(/[\s,]+/)
      .some((word) => FORBIDS_INDEXING.test(word))
  )
  if (directives === undefined) return null
  return {
    extent: 1,
    places: [],
    evidence: {},
    actual: directives.slice(0, 200),
    ...(expected.environment === 'staging' ? { severity: 'info' as const } : {})
  }
}

/**
 * Reported as info unless the canonical URL of the blog is another page: search engines take a page
 * without a canonical URL as its own (Google Search Central, "How to specify a canonical URL").
 */
function detectCanonicalMissing({ snapshot: { document, runtime }, expected }: RuleInput): RuleHit | null {
  if (document.canonicals.length > 0) return null
  const { canonicalUrl, environment } = expected
  const isOwn =
    canonicalUrl === null ||
    [runtime.finalUrl, expected.url].some((url) => isSamePage(canonicalUrl, url, environment === 'staging'))
  return {
    extent: 1,
    places: [],
    evidence: {},
    ...(isOwn ? { severity: 'info' as const } : { expected: canonicalUrl })
  }
}

function detectCanonicalInvalid(input: RuleInput): RuleHit | null {
  const urls = getCanonicalUrls(input)
  const { canonicals: all, relativeCanonicals = [] } = input.snapshot.document
  if (urls.length > 1 || urls.includes(null)) {
    return { extent: 1, places: [], evidence: { canonicals: all.slice(0, 5).map((href) => href.slice(0, 300)) } }
  }
  const [relative] = relativeCanonicals
  if (relative === undefined) return null
  // Search engines resolve it, but other programs do not (Google Search Central, "How to specify a canonical URL").
  return {
    extent: 1,
    places: [],
    evidence: {},
    severity: 'low',
    message: 'The canonical URL is relative.',
    advice: 'Use the absolute URL, with protocol and host.',
    actual: relative.slice(0, 300),
    ...(urls[0] ? { expected: urls[0].slice(0, 300) } : {})
  }
}

/** On staging, the canonical URL may have the host of the live site. */
function detectCanonicalElsewhere(input: RuleInput): RuleHit | null {
  const { snapshot, expected } = input
  const [url, ...others] = getCanonicalUrls(input)
  if (!url || others.length > 0) return null
  const allowed = [expected.canonicalUrl, snapshot.runtime.finalUrl, expected.url].filter((one) => one !== null)
  if (allowed.some((one) => isSamePage(url, one, expected.environment === 'staging'))) return null
  return { extent: 1, places: [], evidence: {}, expected: allowed[0]!, actual: url.slice(0, 300) }
}

function detectJsonLdInvalid({ snapshot: { document } }: RuleInput): RuleHit | null {
  const { invalid } = parseJsonLd(document.jsonLd)
  if (invalid === 0) return null
  return { extent: 1, places: [], count: invalid, evidence: { scripts: document.jsonLd.length, invalid } }
}

function detectJsonLdMissing({ snapshot: { document } }: RuleInput): RuleHit | null {
  const { articles, invalid } = parseJsonLd(document.jsonLd)
  if (articles.length > 0 || invalid > 0) return null
  return { extent: 1, places: [], evidence: { scripts: document.jsonLd.length } }
}

function detectJsonLdMismatch({ snapshot: { document }, expected: { title } }: RuleInput): RuleHit | null {
  const { articles } = parseJsonLd(document.jsonLd)
  if (articles.length === 0 || articles.some(({ headline }) => isHeadlineOf(headline, title))) return null
  return {
    extent: 1,
    places: [],
    evidence: { articles: articles.length },
    expected: title,
    actual: articles[0]!.headline.slice(0, 300)
  }
}

/** What search engines read: robots directives, canonical URL and structured data. */
export const indexingRules: readonly Rule[] = [
  {
    code: 'NOINDEX',
    category: 'metadata',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'The page is blocked from indexing.',
    advice: 'Remove `noindex` from the robots meta element or the `X-Robots-Tag` header.',
    detect: detectNoindex
  },
  {
    code: 'CANONICAL_MISSING',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: 'The page has no canonical URL.',
    advice: 'Add `<link rel="canonical">` with the URL that search engines should index.',
    detect: detectCanonicalMissing
  },
  {
    code: 'CANONICAL_INVALID',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'The canonical URL is relative or invalid, or there are several.',
    advice: 'Keep one `<link rel="canonical">` with an absolute URL.',
    detect: detectCanonicalInvalid,
    suppresses: { always: ['CANONICAL_ELSEWHERE'] }
  },
  {
    code: 'CANONICAL_ELSEWHERE',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The canonical URL points to another page.',
    advice: "Set the canonical URL to the page's URL or to the blog's `canonicalUrl`.",
    detect: detectCanonicalElsewhere
  },
  {
    code: 'JSONLD_INVALID',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The structured data is not valid JSON.',
    advice: "Insert the blog's `schemaOrgJson` into the script element without escaping.",
    detect: detectJsonLdInvalid
  },
  {
    code: 'JSONLD_MISSING',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has no structured data about the blog.',
    advice: 'Add the blog\'s `schemaOrgJson` in a `<script type="application/ld+json">`.',
    detect: detectJsonLdMissing
  },
  {
    code: 'JSONLD_MISMATCH',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The structured data describes another blog.',
    advice: 'Use the `schemaOrgJson` of this blog.',
    detect: detectJsonLdMismatch
  }
]
