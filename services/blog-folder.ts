import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ImportedBlog } from '../schemas/blog-import.ts'
import { BlogFileError, parseBlogFile } from './blog-file.ts'

/** A file of the folder: its blog, or why it is not a valid blog. */
export type FolderEntry = { file: string; blog: ImportedBlog; warnings: string[] } | { file: string; refused: string }

const BLOG_FILE = /\.(?:md|markdown|html?)$/i
const IMAGE_FILE = /\.(?:jpe?g|png|webp|avif|gif)$/i
/** Inline images in Markdown and in HTML. */
const REFERENCES = [/!\[[^\]]*\]\(\s*<?([^)\s>]+)/g, /<img\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/gi]

/** The blog files below a folder, sorted by path. Hidden files and folders are ignored. */
export async function blogFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(
      (entry) => entry.isFile() && BLOG_FILE.test(entry.name) && !/^(?:readme|license|contributing)\./i.test(entry.name)
    )
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !path
          .relative(folder, file)
          .split(path.sep)
          .some((part) => part.startsWith('.'))
    )
    .sort()
}

/**
 * Reads a blog file and the local images it refers to: relative to its folder, or by name in
 * `images/` or `../images/`.
 */
export async function readBlogFile(file: string): Promise<FolderEntry> {
  const text = await readFile(file, 'utf8')
  try {
    const { input, image, warnings } = parseBlogFile(text, path.basename(file))
    const slug = input.slug ?? ''
    const format = input.markdown === undefined ? 'html' : 'markdown'
    const body = input[format] ?? ''
    const found = await findImages(file, [...(image === null ? [] : [image.src]), ...references(body)])
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
    return { file, blog: { ...input, slug, [format]: withHero, ...(images.length === 0 ? {} : { images }) }, warnings }
  } catch (error) {
    if (error instanceof BlogFileError) return { file, refused: error.message }
    throw error
  }
}

function references(body: string): string[] {
  return REFERENCES.flatMap((pattern) => [...body.matchAll(pattern)].map((match) => match[1]!))
}

async function findImages(file: string, sources: string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const src of new Set(sources)) {
    if (!IMAGE_FILE.test(src) || /^[a-z][a-z0-9+.-]*:/i.test(src)) continue
    const bytes = await readFirst(file, src)
    if (bytes !== null) found.set(src, bytes)
  }
  return found
}

async function readFirst(file: string, src: string): Promise<Buffer | null> {
  const folder = path.dirname(file)
  for (const candidate of [
    path.join(folder, src),
    path.join(folder, 'images', path.basename(src)),
    path.join(folder, '..', 'images', path.basename(src))
  ]) {
    try {
      return await readFile(candidate)
    } catch (error) {
      if (!['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return null
}
