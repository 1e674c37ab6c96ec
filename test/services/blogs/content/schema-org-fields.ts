/** The shape of a type: its properties, with what each may contain. */
interface Shape {
  /** Where the required properties are documented. */
  source: string
  required: string[]
  /** schema.org's properties of the type that the service uses, with the expected type. */
  properties: Record<string, Expected>
}
/** `text`, `url`, `date` and `number` are plain values; other words are types of nodes. */
type Expected = string

/**
 * The required fields of search engines and the types of schema.org's properties
 * (https://schema.org/docs/full.html), for the nodes that the service writes. Google documents no
 * required fields for articles; those listed are the recommended ones that the service always has.
 */
const SHAPES: Record<string, Shape> = {
  BlogPosting: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/article',
    required: ['headline', 'image', 'datePublished', 'dateModified', 'author'],
    properties: {
      headline: 'text',
      description: 'text',
      image: 'url',
      datePublished: 'date',
      dateModified: 'date',
      author: 'Person',
      publisher: 'Organization',
      mainEntityOfPage: 'WebPage',
      url: 'url',
      inLanguage: 'text',
      wordCount: 'number',
      articleSection: 'text',
      keywords: 'text'
    }
  },
  Person: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/article#author-bp',
    required: ['name'],
    properties: { name: 'text', url: 'url' }
  },
  Organization: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/organization',
    required: ['name'],
    properties: { name: 'text', url: 'url' }
  },
  WebPage: { source: 'https://schema.org/WebPage', required: ['@id'], properties: {} },
  BreadcrumbList: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/breadcrumb',
    required: ['itemListElement'],
    properties: { itemListElement: 'ListItem' }
  },
  ListItem: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/breadcrumb#list-item',
    required: ['position', 'name', 'item'],
    properties: { position: 'number', name: 'text', item: 'url' }
  },
  FAQPage: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/faqpage',
    required: ['mainEntity'],
    properties: { mainEntity: 'Question' }
  },
  Question: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/faqpage#question',
    required: ['name', 'acceptedAnswer'],
    properties: { name: 'text', acceptedAnswer: 'Answer' }
  },
  Answer: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/faqpage#answer',
    required: ['text'],
    properties: { text: 'text' }
  },
  HowTo: {
    source: 'https://developers.google.com/search/docs/appearance/structured-data/how-to',
    required: ['name', 'step'],
    properties: { name: 'text', step: 'HowToStep', inLanguage: 'text' }
  },
  HowToStep: {
    source: 'https://schema.org/HowToStep',
    required: ['text'],
    properties: { position: 'number', name: 'text', text: 'text' }
  }
}

/** The least number of nodes in these properties. */
const MINIMUM: Record<string, number> = { itemListElement: 2, step: 2, mainEntity: 1 }

const PLAIN: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value.trim() !== '',
  url: (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  number: (value) => typeof value === 'number' && value >= 0
}

/** What is wrong with a node, by the tables above; empty for a valid one. */
export function schemaOrgProblems(node: Record<string, unknown>, path = String(node['@type'])): string[] {
  const shape = SHAPES[String(node['@type'])]
  if (shape === undefined) return [`${path}: unknown type`]
  const missing = shape.required
    .filter((name) => node[name] === undefined)
    .map((name) => `${path}: ${name} is missing (${shape.source})`)
  const wrong = Object.entries(node).flatMap(([name, value]) => {
    if (name === '@type') return []
    if (name === '@id') return PLAIN.url!(value) ? [] : [`${path}: @id is no URL`]
    const expected = shape.properties[name]
    if (expected === undefined) return [`${path}: ${name} is no known property`]
    const values = [value].flat()
    const few = values.length < (MINIMUM[name] ?? 1) ? [`${path}: ${name} has too few values`] : []
    return [...few, ...values.flatMap((one, at) => valueProblems(one, expected, `${path}.${name}[${at}]`))]
  })
  return [...missing, ...wrong]
}

function valueProblems(value: unknown, expected: Expected, path: string): string[] {
  const isPlain = PLAIN[expected]
  if (isPlain !== undefined) return isPlain(value) ? [] : [`${path}: is no ${expected}`]
  const node = value as Record<string, unknown>
  return node?.['@type'] === expected ? schemaOrgProblems(node, path) : [`${path}: is no ${expected}`]
}
