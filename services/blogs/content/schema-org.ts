export interface SchemaOrgInput {
  title: string
  description: string
  /** Absolute URLs, the best first. */
  imageUrls: string[]
  /** RFC 3339. */
  datePublished: string | null
  dateModified: string | null
  author: { name: string; url: string | null } | null
  /** The brand that publishes. */
  publisherName: string | null
  /** Absolute URL of the blog's page; null when the customer named none. */
  pageUrl: string | null
  /** Absolute URLs for the breadcrumbs. */
  siteUrl: string | null
  blogUrl: string | null
  locale: string
  wordCount: number
  category: string | null
  tags: string[]
}

/**
 * Google's guide for articles recommended at most 110 characters, and longer headlines are still
 * truncated on narrow screens.
 */
const MAX_HEADLINE_LENGTH = 110

/**
 * JSON-LD (schema.org): one graph with a BlogPosting and, if the site URL is known, a
 * BreadcrumbList (Google Search Central, "Article" and "Breadcrumb"). Empty values are omitted.
 * `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the JSON is safe inside a script element.
 */
export function schemaOrgJson(input: SchemaOrgInput): string {
  const graph = [blogPosting(input), breadcrumbs(input)].filter((node) => node !== null)
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

function blogPosting(input: SchemaOrgInput) {
  return omitEmpty({
    '@type': 'BlogPosting',
    '@id': input.pageUrl && `${input.pageUrl}#article`,
    headline: headline(input.title),
    description: input.description,
    image: input.imageUrls,
    datePublished: input.datePublished,
    dateModified: input.dateModified,
    author: input.author && omitEmpty({ '@type': 'Person', name: input.author.name, url: input.author.url }),
    publisher:
      input.publisherName && omitEmpty({ '@type': 'Organization', name: input.publisherName, url: input.siteUrl }),
    mainEntityOfPage: input.pageUrl && { '@type': 'WebPage', '@id': input.pageUrl },
    url: input.pageUrl,
    inLanguage: input.locale,
    wordCount: input.wordCount > 0 ? input.wordCount : null,
    articleSection: input.category,
    keywords: input.tags
  })
}

/** From the site to its blog to this page. Null for fewer than two steps: Google requires two. */
function breadcrumbs({ siteUrl, blogUrl, pageUrl, title, publisherName }: SchemaOrgInput) {
  const steps = [
    siteUrl ? { name: publisherName ?? new URL(siteUrl).hostname, item: siteUrl } : null,
    blogUrl && blogUrl !== siteUrl ? { name: 'Blog', item: blogUrl } : null,
    pageUrl ? { name: headline(title), item: pageUrl } : null
  ].filter((step) => step !== null)
  if (pageUrl === null || steps.length < 2) return null
  return {
    '@type': 'BreadcrumbList',
    '@id': `${pageUrl}#breadcrumb`,
    itemListElement: steps.map(({ name, item }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: name.toWellFormed(),
      item
    }))
  }
}

/** The title, truncated after a word if it is too long. */
function headline(title: string): string {
  const whole = title.toWellFormed().replace(/\s+/g, ' ').trim()
  if (whole.length <= MAX_HEADLINE_LENGTH) return whole
  const start = whole.slice(0, MAX_HEADLINE_LENGTH - 1)
  const space = start.lastIndexOf(' ')
  return `${start
    .slice(0, space > MAX_HEADLINE_LENGTH / 2 ? space : undefined)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

type Value = string | number | null | string[] | Record<string, unknown>

function omitEmpty(node: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [
        name,
        typeof value === 'string'
          ? value.toWellFormed()
          : Array.isArray(value)
            ? value.map((each) => each.toWellFormed())
            : value
      ])
  )
}
