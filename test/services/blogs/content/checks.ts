import { deliverHtml, renderContent, sanitizeHtml, schemaOrgJson } from '../../../../services/blogs/content/index.ts'
import { findViolations } from './html-policy.ts'
import { createInput, PUBLIC_URL } from './inputs.ts'

/** Renders a text as Markdown and as HTML; returns the policy violations of the delivered HTML. */
export function hostileTextProblems(text: string): string[] {
  return (['markdown', 'html'] as const).flatMap((format) => {
    const input = createInput(text, { format })
    const { html } = renderContent(input)
    const delivered = deliverHtml(html, PUBLIC_URL)
    const isStable = deliverHtml(sanitizeHtml(delivered, input).html, PUBLIC_URL) === delivered
    return [
      ...findViolations(delivered, PUBLIC_URL),
      ...(isStable ? [] : ['it changes when it is sanitized again'])
    ].map((problem) => `${format}: ${problem}: ${text.slice(0, 200)}`)
  })
}

export interface PostCheck {
  problems: string[]
  /** The description has the length that search results show in full. */
  isFullyDescribed: boolean
}

/**
 * Renders a post, which must be safe, keep its text, and be unchanged when it is sanitized again.
 * `wide`: mostly Chinese, Japanese or Korean, whose descriptions are half as long.
 */
export function checkPost(post: {
  name: string
  title: string
  text: string
  locale?: string
  wide?: boolean
}): PostCheck {
  const { name, title, text, locale = 'en', wide = false } = post
  const [least, most] = wide ? [61, 80] : [121, 156]
  const input = { ...createInput(text), title, locale }
  const content = renderContent(input)
  const delivered = deliverHtml(content.html, PUBLIC_URL)
  const problems = findViolations(content.html)
  if (sanitizeHtml(content.html, input).html !== content.html) {
    problems.push('it changes when its stored HTML is sanitized again')
  }
  if (deliverHtml(sanitizeHtml(delivered, input).html, PUBLIC_URL) !== delivered) {
    problems.push('it changes when its delivered HTML is sanitized again')
  }
  if (content.wordCount < 15) problems.push(`it lost its text: ${content.wordCount} words`)
  const { length } = content.metaDescription
  if (length > most || (length < least && content.text.length > 1000)) {
    problems.push(`a description of ${length} characters: ${content.metaDescription}`)
  }

  const json = schemaOrgJson({
    title,
    description: content.metaDescription,
    imageUrls: [],
    datePublished: '2024-01-01T00:00:00.000Z',
    dateModified: null,
    authors: [],
    publisherName: 'Publisher',
    pageUrl: 'https://example.com/blog/x',
    siteUrl: 'https://example.com/',
    blogUrl: 'https://example.com/blog',
    locale,
    wordCount: content.wordCount,
    category: null,
    tags: []
  })
  if (/[<>&]/.test(json) || JSON.parse(json)['@graph'].length !== 2) {
    problems.push('its JSON-LD is unsafe or incomplete')
  }
  return {
    problems: problems.map((problem) => `${name}: ${problem}`),
    isFullyDescribed: length >= least && length <= most
  }
}
