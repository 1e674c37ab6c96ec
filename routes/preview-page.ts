import { html, trustedHtml, type Html } from '../lib/html.ts'
import { CODE_THEMES, COLOR_SCHEMES, type ArticleStyle } from '../schemas/article-style.ts'
import type { Blog, BlogDraft } from '../schemas/blog.ts'

/** The color scheme of the page around the article. */
export const PREVIEW_PAGES = ['system', 'light', 'dark'] as const
type PreviewPage = (typeof PREVIEW_PAGES)[number]

const SCHEMES: Readonly<Record<PreviewPage, string>> = { system: 'light dark', light: 'light', dark: 'dark' }

const STYLE = [
  'body{margin:0 auto;max-width:44rem;padding:1rem;font-family:system-ui,sans-serif}',
  '.preview{font-size:.8rem;border-bottom:1px solid;padding-bottom:.75rem}',
  '.preview form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}',
  '.preview label{display:grid;gap:.15rem}',
  '.preview :is(input,select,button){font:inherit;max-width:11rem}'
].join('')

interface Preview {
  blog: BlogDraft
  token: string
  /** The settings that the page shows. */
  style: ArticleStyle
  page: PreviewPage
}

/**
 * The page of a draft, with a form to try settings of the project. The URLs of its images carry the
 * preview token: the images are not public.
 */
export function previewPage({ blog, token, style, page }: Preview): string {
  const { htmlContent: content } = withImageToken(blog, token)
  return html`<!doctype html>
<html lang="${blog.lang}" dir="${blog.dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${blog.title}</title>
<style>${trustedHtml(blog.cssContent)}</style>
<style>${trustedHtml(`:root{color-scheme:${SCHEMES[page]}}${STYLE}`)}</style>
<div class="preview" lang="en" dir="ltr">
<p>Preview · ${blog.status} · version ${blog.version}</p>
${settingsForm({ token, style, page })}
</div>
<h1>${blog.title}</h1>
${trustedHtml(content)}
</html>
`.markup
}

/** The blog with the preview token in the URLs of its images, which are not public. */
export function withImageToken<B extends Pick<Blog, 'id' | 'htmlContent' | 'ogImageUrl'>>(blog: B, token: string): B {
  const imageUrl = new RegExp(`(/api/v1/blogs/images/${blog.id}/[\\w.-]+)(\\?)?`, 'g')
  const add = (text: string, ampersand: string) =>
    text.replace(imageUrl, (_all, path: string, query?: string) => {
      return `${path}?token=${token}${query === undefined ? '' : ampersand}`
    })
  return { ...blog, htmlContent: add(blog.htmlContent, '&amp;'), ogImageUrl: add(blog.ogImageUrl, '&') }
}

/** The form loads the page with other settings. They are saved with `PATCH /api/projects/{projectId}`. */
function settingsForm({ token, style, page }: Omit<Preview, 'blog'>): Html {
  return html`<form>
<input type="hidden" name="token" value="${token}">
${choice('page', page, PREVIEW_PAGES)}
${choice('colorScheme', style.colorScheme, COLOR_SCHEMES)}
${field('accentColor', style.accentColor, '#0b57d0')}
${field('maxWidth', style.maxWidth, '46rem')}
${field('fontFamily', style.fontFamily, 'Inter, sans-serif')}
${field('borderRadius', style.borderRadius, '8px')}
${choice('codeTheme', style.codeTheme, CODE_THEMES)}
<button>Show</button>
</form>`
}

const field = (name: string, value: string | null, placeholder: string): Html =>
  html`<label>${name} <input name="${name}" value="${value ?? ''}" placeholder="${placeholder}"></label>`

const choice = (name: string, value: string, values: readonly string[]): Html =>
  html`<label>${name} <select name="${name}">${values.map((each) =>
    each === value ? html`<option selected>${each}</option>` : html`<option>${each}</option>`
  )}</select></label>`
