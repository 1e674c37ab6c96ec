import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import t from 'tap'

const ROOT = path.resolve(import.meta.dirname, '../..')
const IMAGES = path.join(ROOT, 'docs/images')
const MAX_BYTES = 150 * 1024

t.test('the README shows every picture of the console and the documentation, in light and dark', async (t) => {
  const taken = readdirSync(IMAGES).filter((file) => /-(?:light|dark)\.webp$/.test(file))
  const shown = [...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/"docs\/images\/([^"]+)"/g)].map(
    ([, file]) => file!
  )
  t.strictSame(shown.sort(), taken.sort())
  t.strictSame(
    taken.filter((file) => file.endsWith('-dark.webp')).map((file) => file.replace('-dark', '-light')),
    taken.filter((file) => file.endsWith('-light.webp'))
  )
  for (const file of taken) {
    t.ok(statSync(path.join(IMAGES, file)).size <= MAX_BYTES, file)
    t.equal((await sharp(path.join(IMAGES, file)).metadata()).width, 1366, file)
  }
})
