import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { blogFiles, readBlogFile } from '../../services/blog-folder.ts'
import { temporaryFolder } from '../helper.ts'

t.test('symbolic links are not followed, and images outside of the folder are not read', async (t) => {
  const outside = temporaryFolder(t)
  const folder = path.join(temporaryFolder(t), 'posts')
  mkdirSync(path.join(folder, 'deep', 'images'), { recursive: true })
  writeFileSync(path.join(outside, 'secret.png'), 'secret')
  writeFileSync(path.join(outside, 'other.md'), '# Other')
  writeFileSync(path.join(folder, 'deep', 'images', 'own.png'), 'own')
  const body = '![a](own.png) ![b](secret.png) ![c](../../secret.png) ![d](loop.png)'
  writeFileSync(path.join(folder, 'deep', 'post.md'), `---\ntitle: Post\n---\n${body}`)
  symlinkSync(folder, path.join(folder, 'deep', 'again'))
  symlinkSync(path.join(outside, 'other.md'), path.join(folder, 'other.md'))
  symlinkSync(path.join(outside, 'secret.png'), path.join(folder, 'deep', 'secret.png'))
  symlinkSync('loop.png', path.join(folder, 'deep', 'loop.png'))
  writeFileSync(path.join(folder, '..', 'secret.png'), 'above')
  const files = await blogFiles(folder)
  t.same(
    files.map((file) => path.relative(folder, file)),
    ['deep/post.md']
  )
  const entry = await readBlogFile(files[0]!, folder)
  t.match(entry, { blog: { images: [{ name: 'own.png' }] } })
  t.equal('blog' in entry && entry.blog.images?.length, 1)
})

t.test('a front matter whose aliases multiply is rejected with a reason', async (t) => {
  const folder = temporaryFolder(t)
  const levels = Array.from({ length: 12 }, (_, i) => {
    const before = i === 0 ? '"x"' : `*a${i - 1}`
    return `a${i}: &a${i} [${Array(10).fill(before).join(', ')}]`
  })
  const file = path.join(folder, 'bomb.md')
  writeFileSync(file, `---\ntitle: Bomb\n${levels.join('\n')}\n---\nText`)
  t.match(await readBlogFile(file, folder), { refused: /^has invalid YAML in its front matter: Excessive alias count/ })
})

t.test('files that consist of beginnings of images are read in linear time', async (t) => {
  const folder = temporaryFolder(t)
  for (const [name, text] of [
    ['markdown', '!['],
    ['html', '<img '],
    ['source', '<img src ']
  ] as const) {
    const file = path.join(folder, `${name}.md`)
    writeFileSync(file, `---\ntitle: ${name}\n---\n${text.repeat(400_000)}`)
    t.match(await readBlogFile(file, folder), { blog: { title: name } })
  }
})
