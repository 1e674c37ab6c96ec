import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchPage } from './helpers.ts'

/** A blog of a corpus, as `blogFor` returns it. */
interface CorpusBlog {
  title: string
  htmlContent: string
  cssContent: string
  language: string
  metaDescription: string
  ogImageUrl: string
}

/** The exports of a corpus. `trulyBad`: pages meant to be harmless that have a defect. */
interface Corpus {
  start: () => Promise<{ origin: string }>
  blogFor: (site: string, variant: string) => CorpusBlog
  blogs: Record<string, unknown>
  defects: Record<string, unknown>
  benign: Record<string, unknown>
  expected: Record<string, string[]>
  trulyBad?: string[]
}

/**
 * Serves a folder with server.mjs, blogs.mjs, variants.mjs, expected.mjs and noops.json: every
 * variant of every site. Variants in noops.json change nothing on their site and are skipped.
 */
export async function serveCorpus(folder: string): Promise<BenchPage[]> {
  const { start, blogFor, blogs, defects, benign, expected, trulyBad = [] } = await load(folder)
  const noops = JSON.parse(await readFile(path.join(folder, 'noops.json'), 'utf8')) as string[]
  const { origin } = await start()

  const pageOf = (site: string, variant: string): BenchPage => {
    const [id, url] = [`${site}/${variant}`, `${origin}/p/${site}/${variant}`]
    const { title, htmlContent: html, cssContent: css, language, metaDescription, ogImageUrl } = blogFor(site, variant)
    const expectedCodes = variant in benign ? [] : expected[variant]
    if (expectedCodes === undefined) throw new Error(`expected.mjs has no codes for ${variant}`)
    return {
      id,
      url,
      expected: {
        title,
        html,
        css,
        language,
        url,
        environment: 'live',
        metaDescription,
        ogImageUrl,
        canonicalUrl: null
      },
      expectedCodes: trulyBad.includes(id) ? null : expectedCodes
    }
  }
  const variants = [...Object.keys(benign), ...Object.keys(defects)]
  return Object.keys(blogs)
    .flatMap((site) => variants.map((variant) => pageOf(site, variant)))
    .filter(({ id }) => !noops.includes(id))
}

async function load(folder: string): Promise<Corpus> {
  const modules = await Promise.all(
    ['server', 'blogs', 'variants', 'expected'].map(
      async (name) => (await import(pathToFileURL(path.resolve(folder, `${name}.mjs`)).href)) as Partial<Corpus>
    )
  )
  return Object.assign({}, ...modules) as Corpus
}
