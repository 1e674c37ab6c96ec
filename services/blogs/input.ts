import { isDeepStrictEqual } from 'node:util'
import { problem, type FieldError } from '../../errors.ts'
import type { BlogRecord, BlogSource } from '../../ports/store/port.ts'
import { foldLabel } from '../../lib/labels.ts'
import type { Author, BlogInput, BlogPatch } from '../../schemas/blog.ts'
import { toUtc } from '../../schemas/formats.ts'
import type { AuthoredFields } from './compose.ts'
import { isReservedSlug } from './slug.ts'

const invalid = (pointer: string, code: string, message: string) => {
  const error: FieldError = { pointer, code, message }
  return problem('invalid_request', `${pointer} ${message}.`, { errors: [error] })
}

/**
 * The author's fields of a new blog. Throws `invalid_request` unless exactly one of markdown and
 * html is given.
 */
export function fieldsFromInput(id: string, input: BlogInput): AuthoredFields {
  return {
    id,
    title: input.title.trim(),
    locale: input.locale ?? 'en',
    category: trimmed(input.category),
    tags: (input.tags ?? []).map((tag) => tag.trim()),
    authors: authorsOf(input) ?? [],
    translationKey: trimmed(input.translationKey),
    source: {
      ...textOf(input),
      css: input.css ?? null,
      metaTitle: trimmed(input.metaTitle),
      metaDescription: trimmed(input.metaDescription),
      excerpt: trimmed(input.excerpt),
      cover: input.cover ?? null,
      ogImageUrl: input.ogImageUrl ?? null,
      canonicalUrl: input.canonicalUrl ?? null
    }
  }
}

/** The author's fields after a patch: omitted fields keep their value, null clears. */
export function fieldsFromPatch(blog: BlogRecord, patch: BlogPatch): AuthoredFields {
  const { source } = blog.body
  const given = <T>(value: T | undefined, current: T): T => (value === undefined ? current : value)
  return {
    id: blog.id,
    title: given(patch.title?.trim(), blog.title),
    locale: given(patch.locale, blog.locale),
    category: given(trimmedOrUndefined(patch.category), blog.category),
    tags: given(
      patch.tags?.map((tag) => tag.trim()),
      blog.tags
    ),
    authors: given(authorsOf(patch), blog.authors),
    translationKey: given(trimmedOrUndefined(patch.translationKey), blog.translationKey),
    source: {
      ...(patch.markdown === undefined && patch.html === undefined
        ? { format: source.format, text: source.text }
        : textOf(patch)),
      css: given(patch.css, source.css),
      metaTitle: given(trimmedOrUndefined(patch.metaTitle), source.metaTitle ?? null),
      metaDescription: given(trimmedOrUndefined(patch.metaDescription), source.metaDescription),
      excerpt: given(trimmedOrUndefined(patch.excerpt), source.excerpt ?? null),
      cover: given(patch.cover, source.cover ?? null),
      ogImageUrl: given(patch.ogImageUrl, source.ogImageUrl),
      canonicalUrl: given(patch.canonicalUrl, source.canonicalUrl)
    }
  }
}

/** Throws `reserved_slug` for slugs that are paths of the API or look like ids. */
export function assertSlugAllowed(slug: string): void {
  if (isReservedSlug(slug)) {
    throw problem('reserved_slug', `The slug "${slug}" is reserved.`, {
      errors: [
        {
          pointer: '/slug',
          code: 'reserved',
          message: 'is a path of the API or has the form of an id; choose another slug'
        }
      ]
    })
  }
}

/** Parses a publication date. Throws for a date in the future: that needs scheduling. */
export function parsePastTime(time: string | undefined, pointer: string): string | null {
  if (time === undefined) return null
  const utc = toUtc(time)
  if (Date.parse(utc) > Date.now()) {
    throw invalid(
      pointer,
      'future',
      'must not be in the future; to publish later, create a draft and POST …/publish with publishAt'
    )
  }
  return utc
}

/**
 * The authors of the request; undefined if it names none. `author` may repeat the first of `authors`,
 * as responses do, so that a response can be edited and sent back.
 */
function authorsOf({ author, authors }: Pick<BlogInput, 'author' | 'authors'>): Author[] | undefined {
  if (authors === undefined) return author === undefined ? undefined : author === null ? [] : [normalizeAuthor(author)]
  const list = authors.map(normalizeAuthor)
  const names = list.map(({ name }) => foldLabel(name))
  const repeated = names.findIndex((name, at) => names.indexOf(name) < at)
  if (repeated !== -1) throw invalid(`/authors/${repeated}`, 'repeated', 'names an author a second time; remove it')
  if (author != null && !isDeepStrictEqual(normalizeAuthor(author), list[0])) {
    throw invalid('/author', 'either', 'differs from the first of /authors; send one of them')
  }
  return list
}

const normalizeAuthor = ({ name, url }: Author): Author => ({ name, url: url ?? null })

function textOf({ markdown, html }: { markdown?: string; html?: string }): Pick<BlogSource, 'format' | 'text'> {
  if (markdown !== undefined && html !== undefined) {
    throw invalid('/html', 'either', 'and /markdown are both given; send one of them')
  }
  if (markdown !== undefined) return { format: 'markdown', text: markdown }
  if (html !== undefined) return { format: 'html', text: html }
  throw invalid('/markdown', 'required', 'or /html is required')
}

function trimmed(text: string | null | undefined): string | null {
  const inner = text?.trim() ?? ''
  return inner === '' ? null : inner
}
const trimmedOrUndefined = (text: string | null | undefined) => (text === undefined ? undefined : trimmed(text))
