/** An article of the page's JSON-LD: its headline, '' where it names none. */
export interface JsonLdArticle {
  headline: string
}

const ARTICLE = /(?:Article|Posting)$/

/**
 * The articles that the JSON-LD of a page tells of, and how many of its scripts are not JSON.
 * https://schema.org/Article
 */
export function jsonLdArticles(scripts: readonly string[]): { articles: JsonLdArticle[]; invalid: number } {
  const articles: JsonLdArticle[] = []
  let invalid = 0
  for (const script of scripts) {
    try {
      gather(JSON.parse(script), articles)
    } catch {
      invalid++
    }
  }
  return { articles, invalid }
}

function gather(value: unknown, into: JsonLdArticle[]): void {
  if (Array.isArray(value)) {
    value.forEach((item) => {
      gather(item, into)
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const item = value as Record<string, unknown>
  if ([item['@type']].flat().some((type) => typeof type === 'string' && ARTICLE.test(type))) {
    into.push({ headline: String(item.headline ?? item.name ?? '') })
  }
  for (const key of ['@graph', 'mainEntity', 'blogPost', 'itemListElement', 'item']) gather(item[key], into)
}
