import { problem, type FieldError } from '../../errors.ts'
import type { BlogRecord, BlogSource } from '../../ports/store/port.ts'
import type { BlogInput, BlogPatch } from '../../schemas/blog.ts'
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
    author: input.author ?? null,
    source: {
      ...textOf(input),
      css: input.css ?? null,
      metaDescription: trimmed(input.metaDescription),
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
    author: given(patch.author, blog.author),
    source: {
      ...(patch.markdown === undefined && patch.html === undefined
        ? { format: source.format, text: source.text }
        : textOf(patch)),
      css: given(patch.css, source.css),
      metaDescription: given(trimmedOrUndefined(patch.metaDescription), source.metaDescription),
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
