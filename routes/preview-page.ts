import { escapeHtml } from '../lib/html.ts'
import type { BlogDraft } from '../schemas/blog.ts'

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0 auto;max-width:44rem;padding:1rem;font-family:system-ui,sans-serif}',
  '.preview{font-size:.8rem;border-bottom:1px solid;padding-bottom:.5rem}'
].join('')

/** The writing direction of a language; left to right for unknown languages. */
function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    return (new Intl.Locale(locale) as Intl.Locale & { getTextInfo: () => { direction: 'ltr' | 'rtl' } }).getTextInfo()
      .direction
  } catch (error) {
    if (error instanceof RangeError) return 'ltr'
    throw error
  }
}

/** The page of a draft. The URLs of its images carry the preview token: the images are not public. */
export function previewPage(blog: BlogDraft, token: string): string {
  const imageUrl = new RegExp(`(/api/v1/blogs/images/${blog.id}/[\\w.-]+)(\\?)?`, 'g')
  const content = blog.htmlContent.replace(
    imageUrl,
    (_all, path: string, query?: string) => `${path}?token=${token}${query === undefined ? '' : '&amp;'}`
  )
  return `<!doctype html>
<html lang="${escapeHtml(blog.locale)}" dir="${directionOf(blog.locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(blog.title)}</title>
<style>${blog.cssContent}</style>
<style>${STYLE}</style>
<p class="preview">Preview · ${escapeHtml(blog.status)} · version ${blog.version}</p>
<h1>${escapeHtml(blog.title)}</h1>
${content}
</html>
`
}
