import { gunzipSync } from 'node:zlib'
import { StartError } from '../../../errors.ts'

/** The limits of https://www.sitemaps.org/protocol.html, for all files of a sitemap together. */
const MAX_BYTES = 52_428_800
const MAX_PAGES = 50_000
const MAX_SITEMAPS = 100
const TIMEOUT_MS = 30_000

/**
 * The URLs of the pages in a sitemap, in order and without duplicates, including those of the
 * sitemaps that a sitemap index lists. Throws a StartError that names the file which cannot be read.
 */
export async function readSitemap(url: string): Promise<string[]> {
  const pages = new Set<string>()
  const sitemaps = new Set([url])
  for (const sitemap of sitemaps) {
    const text = await download(sitemap)
    const isIndex = /<(?:\w+:)?sitemapindex[\s>]/.test(text)
    const addresses = locationsOf(text, sitemap)
    if (!isIndex && !/<(?:\w+:)?urlset[\s>]/.test(text)) throw new StartError(`${sitemap} is not a sitemap.`)
    for (const address of addresses) (isIndex ? sitemaps : pages).add(address)
    if (sitemaps.size > MAX_SITEMAPS) throw new StartError(`${url} lists more than ${MAX_SITEMAPS} sitemaps.`)
    if (pages.size > MAX_PAGES) throw new StartError(`${url} lists more than ${MAX_PAGES} pages.`)
  }
  return [...pages]
}

/** The slug in the URL of a blog's page: the last segment of its path, without a file extension. */
export function slugOf(url: string): string | null {
  const segment = new URL(url).pathname.split('/').findLast((part) => part !== '')
  if (segment === undefined) return null
  try {
    return decodeURIComponent(segment).replace(/\.(?:html?|php)$/i, '')
  } catch {
    return null // Not valid UTF-8, so not a slug.
  }
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const bytes = await readBounded(response)
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
    return (isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString('utf8')
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new StartError(`The sitemap ${url} could not be read: ${reason}`, { cause: error })
  }
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The http and https URLs in the `<loc>` elements, but not those of images and videos. */
function locationsOf(text: string, base: string): string[] {
  const parts = text.split('<loc>').slice(1)
  return parts.flatMap((part) => {
    const content = part.split('</loc>', 1)[0]!.replace('<![CDATA[', '').replace(']]>', '')
    const url = URL.parse(decodeEntities(content.trim()), base)
    return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : []
  })
}

const decodeEntities = (text: string): string =>
  text
    .replace(/&#x([\da-f]{1,6});/gi, (_, code: string) => toCharacter(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});/g, (_, code: string) => toCharacter(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)

const toCharacter = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
