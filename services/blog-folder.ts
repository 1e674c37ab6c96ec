import { readFile, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { ImportedBlog } from '../schemas/blog-import.ts'
import { BlogFileError, parseBlogFile } from './blog-file.ts'

/** A file of the folder: its blog, or why it is not a valid blog. */
export type FolderEntry = { file: string; blog: ImportedBlog; warnings: string[] } | { file: string; refused: string }

const BLOG_FILE = /\.(?:md|markdown|html?)$/i
const IGNORED_FILE = /^(?:readme|license|contributing)\./i
const IMAGE_FILE = /\.(?:jpe?g|png|webp|avif|gif)$/i
/** Inline images in Markdown and in HTML. Parts have a maximum length, so that the time is linear. */
const REFERENCES = [
  /!\[[^[\]]{0,1000}\]\(\s{0,10}<?([^)\s>]{1,2000})/g,
  /<img\b[^<>]{0,2000}?\bsrc\s{0,10}=\s{0,10}["']?([^"'\s<>]{1,2000})/gi
]

/**
 * The blog files below a folder, sorted by path. Hidden files and folders are ignored, and so are
 * symbolic links, which may lead outside of the folder or in a circle.
 */
export async function blogFiles(folder: string): Promise<string[]> {
  const files: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    const found = path.join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await blogFiles(found)))
    else if (entry.isFile() && BLOG_FILE.test(entry.name) && !IGNORED_FILE.test(entry.name)) files.push(found)
  }
  return files.sort()
}

/**
 * Reads a blog file and the local images it refers to: relative to its folder, or by name in
 * `images/` or `../images/`. Images outside of `root`, the imported folder, are not read.
 */
export async function readBlogFile(file: string, root: string): Promise<FolderEntry> {
  const text = await readFile(file, 'utf8')
  try {
    const { input, image, warnings } = parseBlogFile(text, path.basename(file))
    const slug = input.slug ?? ''
    const format = input.markdown === undefined ? 'html' : 'markdown'
    const body = input[format] ?? ''
    const found = await findImages({ file, root }, [...(image === null ? [] : [image.src]), ...references(body)])
    const hero =
      image === null ||
      body.includes(path.basename(image.src)) ||
      (!found.has(image.src) && !image.src.startsWith('https://'))
        ? null
        : image
    if (image !== null && hero === null && !found.has(image.src) && !body.includes(path.basename(image.src))) {
      warnings.push(`the image ${image.src} in the front matter was not found`)
    }
    const images = [...found].map(([src, bytes]) => ({
      name: path.basename(src),
      alt: src === image?.src ? image.alt : '',
      base64: bytes.toString('base64')
    }))
    const withHero =
      hero === null
        ? body
        : format === 'markdown'
          ? `![${hero.alt.replaceAll(']', '\\]')}](${hero.src})\n\n${body}`
          : `<p><img src="${hero.src}" alt="${hero.alt.replaceAll('"', '&quot;')}"></p>\n${body}`
    const cover = image !== null && (found.has(image.src) || image.src.startsWith('https://'))
    const fields = cover ? { ...input, cover: { url: image.src, alt: image.alt } } : input
    return { file, blog: { ...fields, slug, [format]: withHero, ...(images.length === 0 ? {} : { images }) }, warnings }
  } catch (error) {
    if (error instanceof BlogFileError) return { file, refused: error.message }
    throw error
  }
}

function references(body: string): string[] {
  return REFERENCES.flatMap((pattern) => [...body.matchAll(pattern)].map((match) => match[1]!))
}

interface Place {
  file: string
  root: string
}

async function findImages(place: Place, sources: string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const src of new Set(sources)) {
    if (!IMAGE_FILE.test(src) || /^[a-z][a-z0-9+.-]*:/i.test(src)) continue
    const bytes = await readFirst(place, src)
    if (bytes !== null) found.set(src, bytes)
  }
  return found
}

async function readFirst({ file, root }: Place, src: string): Promise<Buffer | null> {
  const allowed = (await realpath(root)) + path.sep
  const folder = path.dirname(file)
  for (const candidate of [
    path.join(folder, src),
    path.join(folder, 'images', path.basename(src)),
    path.join(folder, '..', 'images', path.basename(src))
  ]) {
    try {
      const target = await realpath(candidate)
      if (target.startsWith(allowed)) return await readFile(target)
    } catch (error) {
      if (!['ENOENT', 'EISDIR', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return null
}
