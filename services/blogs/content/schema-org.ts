import type { ContentStructure } from '../../../ports/store/port/blogs.ts'

export interface SchemaOrgInput {
  title: string
  description: string
  /** Absolute URLs, the best first. */
  imageUrls: string[]
  /** RFC 3339. */
  datePublished: string | null
  dateModified: string | null
  authors: { name: string; url: string | null }[]
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
  /** Absolute URL of the category's page; null when unknown. */
  categoryUrl?: string | null
  tags: string[]
  structure?: ContentStructure
}

/**
 * Google's guide for articles recommended at most 110 characters, and longer headlines are still
 * truncated on narrow screens.
 */
const MAX_HEADLINE_LENGTH = 110

/**
 * JSON-LD (schema.org): one graph with a BlogPosting, a BreadcrumbList if the site URL is known, and
 * a FAQPage and a HowTo if the content has them. Empty values are omitted.
 * `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the JSON is safe inside a script element.
 */
export function schemaOrgJson(input: SchemaOrgInput): string {
  const graph = [blogPosting(input), breadcrumbs(input), faqPage(input), howTo(input)].filter((node) => node !== null)
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
    author: personsOf(input.authors),
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

/** One object for one author, and a list for several: both are what Google reads. */
function personsOf(authors: SchemaOrgInput['authors']): Record<string, unknown> | Record<string, unknown>[] | null {
  const persons = authors.map(({ name, url }) => omitEmpty({ '@type': 'Person', name, url }))
  return persons.length > 1 ? persons : (persons[0] ?? null)
}

/** https://developers.google.com/search/docs/appearance/structured-data/faqpage */
function faqPage({ pageUrl, structure }: SchemaOrgInput) {
  const { faq = [] } = structure ?? {}
  if (faq.length === 0) return null
  return omitEmpty({
    '@type': 'FAQPage',
    '@id': pageUrl && `${pageUrl}#faq`,
    mainEntity: faq.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question.toWellFormed(),
      acceptedAnswer: { '@type': 'Answer', text: answer.toWellFormed() }
    }))
  })
}

/** https://schema.org/HowTo */
function howTo({ pageUrl, locale, structure }: SchemaOrgInput) {
  if (structure?.howTo == null) return null
  const { name, steps } = structure.howTo
  return omitEmpty({
    '@type': 'HowTo',
    '@id': pageUrl && `${pageUrl}#howto`,
    name,
    inLanguage: locale,
    step: steps.map((step, index) =>
      omitEmpty({ '@type': 'HowToStep', position: index + 1, name: step.name, text: step.text })
    )
  })
}

/** From the site to its blog, the category and this page. Null for fewer than two steps: Google requires two. */
function breadcrumbs({ siteUrl, blogUrl, pageUrl, title, publisherName, category, categoryUrl }: SchemaOrgInput) {
  const steps = [
    siteUrl ? { name: publisherName ?? new URL(siteUrl).hostname, item: siteUrl } : null,
    blogUrl && blogUrl !== siteUrl ? { name: 'Blog', item: blogUrl } : null,
    // All steps but the last need a URL.
    category !== null && categoryUrl != null ? { name: category, item: categoryUrl } : null,
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

type Value = string | number | null | string[] | Record<string, unknown> | Record<string, unknown>[]

function omitEmpty(node: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [
        name,
        typeof value === 'string'
          ? value.toWellFormed()
          : Array.isArray(value)
            ? value.map((each) => (typeof each === 'string' ? each.toWellFormed() : each))
            : value
      ])
  )
}
