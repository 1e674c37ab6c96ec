import { PREVIEW_READY, type PreviewMessage } from './message.ts'
import { SITE_STYLES } from './site-styles.ts'

/**
 * The program of the preview page. The page has an origin of its own and its own Content Security
 * Policy, so that the styles of an article neither reach the console nor need its permissions.
 */
const styles = document.head.appendChild(document.createElement('style'))
const articleStyles = document.head.appendChild(document.createElement('style'))

function show({ title, html, css, lang, dir, siteStyle, colorScheme }: PreviewMessage): void {
  document.documentElement.lang = lang
  document.documentElement.dir = dir
  document.title = title
  styles.textContent = `:root{color-scheme:${colorScheme}}${SITE_STYLES[siteStyle]?.css ?? ''}`
  if (articleStyles.textContent !== css) articleStyles.textContent = css
  const main = document.createElement('main')
  const heading = document.createElement('h1')
  heading.textContent = title
  // Sanitized by the service.
  const article = document.createElement('div')
  article.innerHTML = html
  main.append(heading, article)
  document.body.replaceChildren(main)
}

// Links and forms of the article must not replace the preview.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link !== null && !(link.getAttribute('href') ?? '').startsWith('#')) event.preventDefault()
})
addEventListener('message', (event: MessageEvent<PreviewMessage>) => {
  if (event.source === parent) show(event.data)
})
parent.postMessage(PREVIEW_READY, '*')
