import { parse, YAMLParseError } from 'yaml'
import type { BlogInput } from '../schemas/blog.ts'
import { toTimestamp } from '../schemas/formats.ts'

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
 * description, category or categories, tags, author or authors, locale or lang, image with
 * image_alt, css, status, draft, published, canonical_url. Other keys are ignored. Without date or
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
  const description = words(metadata.description)
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
      ...(description === null || description.length > 500 ? {} : { metaDescription: description }),
      category: words(metadata.category) ?? list(metadata.categories)[0] ?? null,
      tags: tags.slice(0, 30),
      author: authorOf(metadata),
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

function words(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? null : text
}

function list(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(words).filter((text) => text !== null)
}

const unique = (texts: string[]) => [...new Set(texts.map((text) => text.slice(0, 60)))]

/** Joins the names of several authors, because a blog has one author. */
function authorOf(metadata: Record<string, unknown>): BlogInput['author'] {
  const given = [metadata.authors ?? metadata.author].flat()
  const people = given
    .map((person) => {
      if (person === null || typeof person !== 'object') return { name: words(person), url: null }
      const { name, url } = person as Record<string, unknown>
      return { name: words(name), url: words(url) }
    })
    .filter((person) => person.name !== null)
  if (people.length === 0) return null
  const url = people.length === 1 ? people[0]!.url : null
  return {
    name: people
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 200),
    ...(url === null ? {} : { url })
  }
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
