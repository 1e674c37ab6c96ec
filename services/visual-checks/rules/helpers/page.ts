import type { RuntimeSnapshot, ViewportSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { RuleHit, RuleInput } from '../rule.ts'
import { matchesText, normalizeText } from './text.ts'

/** The host of a URL without `www.`, or '' for an invalid URL. */
export function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : ''
}

/** Icons that browsers request on their own. */
export const isFavicon = (url: string): boolean => /favicon|apple-touch-icon/i.test(url)

/**
 * Whether two URLs are of one page: www, protocol, trailing slash, index.html and query are
 * ignored. `anyHost`: compares the paths alone.
 */
export function isSamePage(one: string, other: string, anyHost = false): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const getPath = (url: string) => decodePath(new URL(url).pathname).replace(/\/(?:index\.html?)?$/, '')
  return getPath(one) === getPath(other) && (anyHost || getHost(one) === getHost(other))
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The trimmed, non-empty contents of the meta elements with this name. */
export const getMetaContents = ({ document }: ViewportSnapshot, key: string): string[] =>
  document.metas
    .filter((meta) => meta.key === key)
    .map(({ content }) => content.trim())
    .filter((content) => content !== '')

/** The distinct canonical URLs of a page, resolved. Null for an invalid one. */
export function getCanonicalUrls({ snapshot: { document, runtime }, expected }: RuleInput): (string | null)[] {
  const base = URL.canParse(runtime.finalUrl) ? runtime.finalUrl : expected.url
  return [...new Set(document.canonicals.map((href) => resolveUrl(href.trim(), base)))]
}

function resolveUrl(href: string, base: string): string | null {
  if (href === '' || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  const isUnfilled = /%7B%7B|undefined|null$/i.test(url.href) && url.pathname !== new URL(base).pathname
  return ['http:', 'https:'].includes(url.protocol) && !isUnfilled ? url.href : null
}

/** `headline`: '' if the article has none. Dates are as written, null if the article has none. */
export interface JsonLdArticle {
  headline: string
  datePublished: string | null
  dateModified: string | null
}

const ARTICLE_TYPE = /(?:Article|Posting)$/

/**
 * The articles in the JSON-LD of a page (https://schema.org/Article), and the number of scripts
 * that are not valid JSON.
 */
export function parseJsonLd(scripts: readonly string[]): { articles: JsonLdArticle[]; invalid: number } {
  const articles: JsonLdArticle[] = []
  let invalid = 0
  for (const script of scripts) {
    try {
      collectArticles(JSON.parse(script), articles)
    } catch {
      invalid++
    }
  }
  return { articles, invalid }
}

function collectArticles(value: unknown, articles: JsonLdArticle[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectArticles(item, articles)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const item = value as Record<string, unknown>
  if ([item['@type']].flat().some((type) => typeof type === 'string' && ARTICLE_TYPE.test(type))) {
    const getText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
    articles.push({
      headline: String(item.headline ?? item.name ?? ''),
      datePublished: getText(item.datePublished),
      dateModified: getText(item.dateModified)
    })
  }
  for (const key of ['@graph', 'mainEntity', 'blogPost', 'itemListElement', 'item']) {
    collectArticles(item[key], articles)
  }
}

/** Headlines may be truncated: search engines used to limit them to 110 characters. */
export const isHeadlineOf = (headline: string, title: string): boolean =>
  matchesText(headline, title) ||
  (headline.length >= 60 && normalizeText(title).startsWith(normalizeText(headline).replace(/\.{3}$/, '')))

type Failure = RuntimeSnapshot['failures'][number]

/** Reports failed requests, each URL once. Favicons are ignored. */
export function detectFailedRequests(
  { snapshot }: RuleInput,
  isRelevant: (failure: Failure) => boolean
): RuleHit | null {
  const failures = new Map(
    snapshot.runtime.failures
      .filter((failure) => !isFavicon(failure.url) && isRelevant(failure))
      .map((failure) => [failure.url, failure])
  )
  if (failures.size === 0) return null
  const failed = [...failures.values()]
    .sort((a, b) => (a.url < b.url ? -1 : 1))
    .map(({ url, type, reason }) => ({ url: url.slice(0, 300), type, reason }))
  return { extent: 0.5, places: [], count: failures.size, evidence: { failed: failed.slice(0, 5) } }
}
