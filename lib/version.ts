import { readFileSync } from 'node:fs'
import path from 'node:path'

const FILE = path.join(import.meta.dirname, '..', 'package.json')

/** The version of the product, from package.json. */
export const { version: VERSION } = JSON.parse(readFileSync(FILE, 'utf8')) as { version: string }

/** Whether version `a` is newer than `b`, by their numbers. Suffixes such as `-beta.1` are ignored. */
export function isNewerVersion(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split(/[-+]/)[0]!.split('.').map(Number))
  for (const [index, number] of left!.entries()) {
    if (number !== (right![index] ?? 0)) return number > (right![index] ?? 0)
  }
  return false
}
