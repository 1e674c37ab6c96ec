import type { BlogDraft } from '../schemas/blog.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/**
 * Which way the language is written; a tag that has the right form but no meaning counts as from
 * the left.
 */
function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    return (new Intl.Locale(locale) as Intl.Locale & { getTextInfo: () => { direction: 'ltr' | 'rtl' } }).getTextInfo()
      .direction
  } catch (error) {
    if (error instanceof RangeError) return 'ltr'
    throw error
  }
}

/**
 * A draft as a page of its own. Its pictures are asked for with the preview's token, because they
 * are not public yet.
 */
export function previewPage(blog: BlogDraft, token: string): string {
  const own = new RegExp(`(/api/v1/blogs/images/${blog.id}/[\\w.-]+)(\\?)?`, 'g')
  const html = blog.htmlContent.replace(
    own,
    (_all, path: string, query?: string) => `${path}?token=${token}${query === undefined ? '' : '&amp;'}`
  )
  return `<!doctype html>
<html lang="${escapeHtml(blog.locale)}" dir="${directionOf(blog.locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(blog.title)}</title>
<style>${blog.cssContent}</style>
<style>:root{color-scheme:light dark}body{margin:0 auto;max-width:44rem;padding:1rem;font-family:system-ui,sans-serif}.preview{font-size:.8rem;border-bottom:1px solid;padding-bottom:.5rem}</style>
<p class="preview">Preview · ${escapeHtml(blog.status)} · version ${blog.version}</p>
<h1>${escapeHtml(blog.title)}</h1>
${html}
</html>
`
}
