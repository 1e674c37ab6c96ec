import { parse, YAMLParseError } from 'yaml'
import { foldLabel } from '../lib/labels.ts'
import { toWellFormedText } from '../lib/text.ts'
import type { Author, BlogInput } from '../schemas/blog.ts'
import { formats, toTimestamp } from '../schemas/formats.ts'
import { parseInDiv, textOf } from './blogs/content/tree.ts'

/** A blog of a static site generator: a text file with front matter. */
export interface BlogFile {
  input: Omit<BlogInput, 'projectId'>
  /** The image of the front matter, which is shown before the text, with its text alternative. */
  image: { src: string; alt: string } | null
  warnings: string[]
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/

/** The file is not a valid blog. The message completes a sentence that starts with the file name. */
export class BlogFileError extends Error {
  override readonly name = 'BlogFileError'
}

/**
 * Reads a Markdown or HTML file with YAML front matter. Supported keys: title, slug, date,
 * meta_title or seo_title, description, excerpt or summary, category or categories, tags, author or
 * authors, locale or lang, translation_key, image with image_alt, css, status, draft, published,
 * canonical_url. Other keys are ignored. Without date or
 * slug, a file name such as `2014-12-17-snippets.md` supplies them. Throws a BlogFileError.
 */
export function parseBlogFile(text: string, filename: string): BlogFile {
  const match = FRONT_MATTER.exec(text)
  if (match === null) {
    throw new BlogFileError(
      'has no front matter; start the file with a `---` line, a `title:` line, and another `---` line'
    )
  }
  const warnings: string[] = []
  const metadata = frontMatter(match[1]!, warnings)
  const [, nameDate, nameSlug] = /^(?:(\d{4}-\d\d-\d\d)-)?(.*?)\.(?:md|markdown|html?)$/i.exec(filename) ?? []
  const title = words(metadata.title)
  if (title === null) throw new BlogFileError('has no title in its front matter')
  const body = text.slice(match[0].length)
  const date = dateOf(metadata.date, warnings) ?? dateOf(nameDate, warnings)
  const tags = unique(list(metadata.tags))
  const image = words(metadata.image)
  const description = plainText(metadata.description)
  const metaTitle = words(metadata.meta_title) ?? words(metadata.seo_title)
  const translationKey = words(metadata.translation_key) ?? words(metadata.translationKey)
  return {
    input: {
      title,
      slug:
        words(metadata.slug) ??
        nameSlug
          ?.toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-|-$/g, '')
          .slice(0, 120),
      ...(/\.html?$/i.test(filename) ? { html: body } : { markdown: body }),
      ...(metaTitle === null ? {} : { metaTitle: metaTitle.slice(0, 300) }),
      ...describe(description, plainText(metadata.excerpt) ?? plainText(metadata.summary), warnings),
      ...(translationKey === null ? {} : { translationKey: translationKey.slice(0, 100) }),
      category: words(metadata.category) ?? list(metadata.categories)[0] ?? null,
      tags: tags.slice(0, 30),
      authors: authorsOf(metadata, warnings),
      locale: words(metadata.locale) ?? words(metadata.lang) ?? 'en',
      ...(words(metadata.css) === null ? {} : { css: words(metadata.css) }),
      ...(words(metadata.canonical_url) === null ? {} : { canonicalUrl: words(metadata.canonical_url) }),
      ...(date === null ? {} : { publishedAt: date }),
      status:
        metadata.status === 'draft' || metadata.draft === true || metadata.published === false ? 'draft' : 'published'
    },
    image: image === null ? null : { src: image, alt: words(metadata.image_alt) ?? '' },
    warnings:
      tags.length > 30
        ? [...warnings, 'the front matter has more than 30 tags; only the first 30 were imported']
        : warnings
  }
}

/**
 * Parses strict YAML, or else YAML as some generators accept it: continuation lines without
 * indentation, and unquoted values with a colon.
 */
function frontMatter(yaml: string, warnings: string[]): Record<string, unknown> {
  const strict = parseYaml(yaml)
  if (!(strict instanceof YAMLParseError)) return mapping(strict)
  const lenient = parseYaml(toStrictYaml(yaml))
  if (lenient instanceof YAMLParseError) {
    throw new BlogFileError(
      `has invalid YAML in its front matter: ${strict.message.split('\n', 1)[0]!.replace(/:$/, '')}`
    )
  }
  warnings.push('the front matter is not valid YAML; it was parsed leniently, so check the result')
  return mapping(lenient)
}

function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml, { schema: 'core', logLevel: 'error' }) // `silent` would also hide errors.
  } catch (error) {
    if (error instanceof YAMLParseError) return error
    // Too many aliases, which multiply the values that they refer to.
    if (error instanceof ReferenceError) {
      throw new BlogFileError(`has invalid YAML in its front matter: ${error.message}`)
    }
    throw error
  }
}

function toStrictYaml(yaml: string): string {
  return yaml
    .split(/\r?\n/)
    .map((line) => (/^(?:[\w-]+\s*:|-\s|\s|#|$)/.test(line) ? line : `  ${line}`))
    .map((line) =>
      line.replace(
        /^([\w-]+): +([^"'|>[{\s&*!%@`#].*:(?: .*|$))$/,
        (_all, name: string, value: string) => `${name}: ${JSON.stringify(value.trim())}`
      )
    )
    .join('\n')
}

function mapping(value: unknown): Record<string, unknown> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw new BlogFileError('has front matter that is not a list of keys and values')
}

/** Without the control characters that word processors leave in titles: the API refuses them. */
function words(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? toWellFormedText(String(value)).trim() : ''
  return text === '' ? null : text
}

/** An element, a character reference, or a link of Markdown. */
const MARKUP = /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+);|\[[^\][]+\]\([^()\s]+\)/i

/** Static site generators render Markdown and HTML in descriptions and excerpts, which are plain text here. */
function plainText(value: unknown): string | null {
  const text = words(value)
  if (text === null || !MARKUP.test(text)) return text
  return words(textOf(parseInDiv(text.replace(/\[([^\][]+)\]\([^()\s]+\)/g, '$1'))).replace(/\s+/g, ' '))
}

function list(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(words).filter((text) => text !== null)
}

const unique = (texts: string[]) => [...new Set(texts.map((text) => text.slice(0, 60)))]

/** Search engines show about so many characters of a description. */
const MAX_DESCRIPTION = 156
const MAX_EXCERPT = 2000

/**
 * The description and the excerpt. A longer description is an excerpt in fact: the description for
 * search results is made from it.
 */
function describe(
  description: string | null,
  excerpt: string | null,
  warnings: string[]
): Pick<BlogInput, 'metaDescription' | 'excerpt'> {
  const isShort = description !== null && description.length <= MAX_DESCRIPTION
  const long = excerpt ?? (isShort ? null : description)
  if (long !== null && long.length > MAX_EXCERPT) {
    warnings.push(`the excerpt has more than ${MAX_EXCERPT} characters and was not imported`)
  }
  return {
    ...(isShort ? { metaDescription: description } : {}),
    ...(long === null || long.length > MAX_EXCERPT ? {} : { excerpt: long })
  }
}

/** A word of a full name. */
const NAME_PART = /^[\p{Lu}][\p{L}\p{M}'’.-]*$/u
/** Words of organizations, whose names may contain "and". */
const ORGANIZATION = new RegExp(
  `^(?:${[
    'agency|association|board|bureau|center|centre|club|college|commission|committee|company|council|department',
    'desk|division|editorial|editors|foundation|group|inc|institute|lab|labs|library|limited|llc|ltd|ministry',
    'museum|network|office|partners|press|school|services|society|sons|staff|studio|team|the|trust|union|university'
  ].join('|')})\\.?$`,
  'i'
)
const MAX_AUTHORS = 20

/**
 * The authors of a list, of an object or of a text. A text with several names is split only if it
 * certainly is an enumeration: it ends in "and" and a name, and every part is a full name.
 */
function authorsOf(metadata: Record<string, unknown>, warnings: string[]): Author[] {
  const given = metadata.authors ?? metadata.author
  const people = (Array.isArray(given) ? given : [given]).flatMap((person: unknown): Author[] => {
    if (person !== null && typeof person === 'object') {
      const { name, url } = person as Record<string, unknown>
      const text = words(name)
      return text === null ? [] : [{ name: text, url: words(url) }]
    }
    const text = words(person)
    if (text === null) return []
    const names = Array.isArray(given) ? [text] : splitNames(text)
    return names.map((name) => ({ name, url: null }))
  })
  const names = people.map(({ name }) => foldLabel(name))
  const unique = people.filter((_, at) => names.indexOf(names[at]!) === at)
  if (unique.length > MAX_AUTHORS) {
    warnings.push(`the front matter has more than ${MAX_AUTHORS} authors; only the first ${MAX_AUTHORS} were imported`)
  }
  return unique.slice(0, MAX_AUTHORS).map(({ name, url }) => ({
    name: name.slice(0, 200),
    ...(url != null && formats['http-url']!(url) ? { url } : {})
  }))
}

/** `A B, C D and E F` in its names; any other text as it is. */
function splitNames(text: string): string[] {
  const match = /^(.+?),? (?:and|&) ([^,&]+)$/.exec(text)
  if (match === null) return [text]
  const names = [...match[1]!.split(','), match[2]!].map((name) => name.trim())
  const isFullName = (name: string) => {
    const parts = name.split(' ')
    return (
      parts.length >= 2 && parts.length <= 4 && parts.every((part) => NAME_PART.test(part) && !ORGANIZATION.test(part))
    )
  }
  return names.every(isFullName) ? names : [text]
}

/**
 * Converts a date to RFC 3339 in UTC. A date without a time is midnight UTC. Also accepts the form
 * `2014-12-17 09:00:00 -0500`. Adds a warning and returns null for an invalid date.
 */
function dateOf(value: unknown, warnings: string[]): string | null {
  const text = words(value)
  if (text === null) return null
  const [, day, time, seconds = ':00', hours = '+00', minutes = '00'] =
    /^(\d{4}-\d\d-\d\d) +(\d\d:\d\d)(:\d\d)?(?: *([+-]\d\d):?(\d\d))?$/.exec(text) ?? []
  const date = new Date(day === undefined ? text : `${day}T${time}${seconds}${hours}:${minutes}`)
  const utc = toTimestamp(date.getTime())
  if (utc !== null) return utc
  warnings.push(`the front matter has an invalid date: ${text}`)
  return null
}
