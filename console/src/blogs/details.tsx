import type { BlogDraft, BlogPatch } from '../../../schemas/blog.ts'
import { TextField } from '../ui/controls.tsx'
import { SearchResult } from '../ui/search-result.tsx'

/** The fields of a post as the form edits them. An empty text means the service's default. */
export interface BlogForm {
  title: string
  text: string
  slug: string
  metaTitle: string
  metaDescription: string
  excerpt: string
  category: string
  tags: string
  authors: string
  locale: string
  canonicalUrl: string
}

export function toForm(blog: BlogDraft): BlogForm {
  const { source } = blog
  return {
    title: blog.title,
    text: source.text,
    slug: blog.slug,
    metaTitle: source.metaTitle ?? '',
    metaDescription: source.metaDescription ?? '',
    excerpt: source.excerpt ?? '',
    category: blog.category ?? '',
    tags: blog.tags.join(', '),
    authors: blog.authors.map(({ name }) => name).join(', '),
    locale: blog.locale,
    canonicalUrl: source.canonicalUrl ?? ''
  }
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** The changes of the form: only fields that differ from the saved post. */
export function toPatch(blog: BlogDraft, form: BlogForm): BlogPatch {
  const saved = toForm(blog)
  const patch: BlogPatch = {}
  const changed = (name: keyof BlogForm): boolean => form[name] !== saved[name]
  if (changed('title')) patch.title = form.title
  if (changed('text')) patch[blog.source.format] = form.text
  if (changed('slug')) patch.slug = form.slug
  for (const name of ['metaTitle', 'metaDescription', 'excerpt', 'category', 'canonicalUrl'] as const) {
    if (changed(name)) patch[name] = form[name].trim() === '' ? null : form[name]
  }
  if (changed('tags')) patch.tags = splitList(form.tags)
  if (changed('authors')) {
    // A name that stays keeps its URL.
    const urls = new Map(blog.authors.map(({ name, url }) => [name, url]))
    patch.authors = splitList(form.authors).map((name) => ({ name, url: urls.get(name) ?? null }))
  }
  if (changed('locale')) patch.locale = form.locale
  return patch
}

interface Props {
  form: BlogForm
  /** The post with these changes: its defaults are the placeholders. */
  rendered: BlogDraft
  onChange: (changes: Partial<BlogForm>) => void
}

/** The metadata of a post, with its search result. */
export function DetailsTab({ form, rendered, onChange }: Props) {
  return (
    <div class="stack">
      <SearchResult
        title={rendered.metaTitle}
        description={rendered.metaDescription}
        url={rendered.canonicalUrl ?? `/${rendered.slug}`}
        lang={rendered.lang}
      />
      <TextField
        label="Title for search results"
        value={form.metaTitle}
        placeholder={rendered.title}
        onInput={(metaTitle) => onChange({ metaTitle })}
      />
      <TextField
        label="Description for search results"
        rows={3}
        value={form.metaDescription}
        placeholder={rendered.metaDescription}
        onInput={(metaDescription) => onChange({ metaDescription })}
      />
      <TextField
        label="Excerpt"
        rows={2}
        value={form.excerpt}
        placeholder={rendered.excerpt}
        hint="For cards and feeds."
        onInput={(excerpt) => onChange({ excerpt })}
      />
      <TextField label="Category" value={form.category} onInput={(category) => onChange({ category })} />
      <TextField label="Tags" value={form.tags} hint="Separated by commas." onInput={(tags) => onChange({ tags })} />
      <TextField
        label="Authors"
        value={form.authors}
        hint="Separated by commas."
        onInput={(authors) => onChange({ authors })}
      />
      <TextField
        label="Language"
        value={form.locale}
        hint="A language tag, such as en or pt-BR."
        onInput={(locale) => onChange({ locale })}
      />
      <TextField
        label="Canonical URL"
        type="url"
        value={form.canonicalUrl}
        hint="Only if the post was published elsewhere first."
        onInput={(canonicalUrl) => onChange({ canonicalUrl })}
      />
    </div>
  )
}
