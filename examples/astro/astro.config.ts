import { defineConfig } from 'astro/config'
import { BLOG_PATH, syncContent } from './src/lib/content.ts'

const { redirects } = await syncContent()

export default defineConfig({
  site: process.env.SITE_URL,
  trailingSlash: 'never',
  build: { format: 'file' },
  // Former slugs. A static host that reads its own list of redirects can answer them with 301 instead.
  redirects: Object.fromEntries(redirects.map(({ from, to }) => [`${BLOG_PATH}/${from}`, `${BLOG_PATH}/${to}`]))
})
