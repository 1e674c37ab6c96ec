import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Post {
  name: string
  title: string
  /** BCP 47. */
  locale: string
  /** The Markdown below the front matter. */
  text: string
}

/** Posts that were written for these tests: many languages and every kind of Markdown. */
export const OWN_POSTS = path.resolve(import.meta.dirname, 'posts')

/** Reads Markdown files with YAML front matter, whether it is strict YAML or not. */
export function readPosts(folder: string = OWN_POSTS): Post[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const [, front = '', ...rest] = readFileSync(path.join(folder, name), 'utf8').split(/^---\s*$/m)
      const field = (key: string) => new RegExp(`^${key}:\\s*["']?(.*?)["']?\\s*$`, 'm').exec(front)?.[1]
      return { name, title: field('title') ?? name, locale: field('locale') ?? 'en', text: rest.join('---') }
    })
}
