import { parse, YAMLParseError } from 'yaml'
import type { BlogInput } from '../schemas/blog.ts'

/** A blog in a file, as static site generators keep it. */
export interface BlogFile {
  input: Omit<BlogInput, 'projectId'>
  /** The picture that the front matter names, with its text: it goes before the text. */
  image: { src: string; alt: string } | null
  warnings: string[]
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/

/** A file that cannot be a blog; the message says why and what to do. */
export class BlogFileError extends Error {
  override readonly name = 'BlogFileError'
}

/**
 * Reads a Markdown or HTML file with YAML front matter. Understood: title, slug, date, description,
 * excerpt, category or categories, tags,
 * author or authors, locale or lang, image with image_alt, css, status, draft, published,
 * canonical_url. Other keys are passed over.
 * A name such as `2014-12-17-snippets.md` gives date and slug where the front matter does not.
 */
export function parseBlogFile(text: string, filename: string): BlogFile {
  const match = FRONT_MATTER.exec(text)
  if (match === null) {
    throw new BlogFileError('has no front matter; begin the file with --- , the title and another ---')
  }
  const warnings: string[] = []
  const facts = frontMatter(match[1]!, warnings)
  const [, nameDate, nameSlug] = /^(?:(\d{4}-\d\d-\d\d)-)?(.*?)\.(?:md|markdown|html?)$/i.exec(filename) ?? []
  const title = words(facts.title)
  if (title === null) throw new BlogFileError('has no title in its front matter')
  const body = text.slice(match[0].length)
  const date = dateOf(facts.date, warnings) ?? dateOf(nameDate, warnings)
  const tags = unique(list(facts.tags))
  const image = words(facts.image)
  const description = words(facts.description)
  return {
    input: {
      title,
      slug:
        words(facts.slug) ??
        nameSlug
          ?.toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-+|-+$/g, '')
          .slice(0, 120),
      ...(/\.html?$/i.test(filename) ? { html: body } : { markdown: body }),
      ...(description === null || description.length > 500 ? {} : { metaDescription: description }),
      category: words(facts.category) ?? list(facts.categories)[0] ?? null,
      tags: tags.slice(0, 30),
      author: authorOf(facts),
      locale: words(facts.locale) ?? words(facts.lang) ?? 'en',
      ...(words(facts.css) === null ? {} : { css: words(facts.css) }),
      ...(words(facts.canonical_url) === null ? {} : { canonicalUrl: words(facts.canonical_url) }),
      ...(date === null ? {} : { publishedAt: date }),
      status: facts.status === 'draft' || facts.draft === true || facts.published === false ? 'draft' : 'published'
    },
    image: image === null ? null : { src: image, alt: words(facts.image_alt) ?? '' },
    warnings: tags.length > 30 ? [...warnings, 'has more than 30 tags; the first 30 were taken'] : warnings
  }
}

/**
 * Strict YAML first; then as the generators that wrote it read it: continued lines may stand at the
 * margin, and a value may have a colon in it.
 */
function frontMatter(yaml: string, warnings: string[]): Record<string, unknown> {
  const strict = parseYaml(yaml)
  if (!(strict instanceof YAMLParseError)) return mapping(strict)
  const lenient = parseYaml(mendedYaml(yaml))
  if (lenient instanceof YAMLParseError) {
    throw new BlogFileError(`has front matter that is not YAML: ${strict.message.split('\n', 1)[0]!.replace(/:$/, '')}`)
  }
  warnings.push('its front matter is not quite YAML, and was read as it seems to be meant')
  return mapping(lenient)
}

function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml, { schema: 'core', logLevel: 'error' }) // `silent` would also keep quiet about errors.
  } catch (error) {
    if (error instanceof YAMLParseError) return error
    throw error
  }
}

function mendedYaml(yaml: string): string {
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

function mapping(facts: unknown): Record<string, unknown> {
  if (facts !== null && typeof facts === 'object' && !Array.isArray(facts)) return facts as Record<string, unknown>
  throw new BlogFileError('has front matter that is not a list of names and values')
}

function words(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? null : text
}

function list(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(words).filter((text) => text !== null)
}

const unique = (texts: string[]) => [...new Set(texts.map((text) => text.slice(0, 60)))]

/** Several authors are named together, because a blog has one. */
function authorOf(facts: Record<string, unknown>): BlogInput['author'] {
  const given = [facts.authors ?? facts.author].flat()
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
 * A date alone means the beginning of that day in UTC; so does what other generators write, such as
 * `2014-12-17 09:00:00 -0500`.
 */
function dateOf(value: unknown, warnings: string[]): string | null {
  const text = words(value)
  if (text === null) return null
  const [, day, time, seconds = ':00', hours = '+00', minutes = '00'] =
    /^(\d{4}-\d\d-\d\d) +(\d\d:\d\d)(:\d\d)?(?: *([+-]\d\d):?(\d\d))?$/.exec(text) ?? []
  const date = new Date(day === undefined ? text : `${day}T${time}${seconds}${hours}:${minutes}`)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  warnings.push(`has a date that cannot be read: ${text}`)
  return null
}
