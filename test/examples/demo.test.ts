import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import sharp from 'sharp'
import t from 'tap'
import { parse } from 'yaml'
import { PICTURES } from '../../examples/demo/draw-pictures.ts'
import { BlogInput } from '../../schemas/blog.ts'
import { formats } from '../../schemas/formats.ts'
import { ProjectInput } from '../../schemas/project.ts'

const DEMO = path.resolve(import.meta.dirname, '../../examples/demo')
const KB = 1024

interface FrontMatter {
  title: string
  slug: string
  date: string
  description?: string
  category: string
  tags: string[]
  author: string | { name: string; url?: string }
  locale: string
  translation_key?: string
  image: string
  image_alt: string
  css?: string
  status: 'draft' | 'published'
}
interface Post {
  project: string
  file: string
  front: FrontMatter
  body: string
}
interface ProductLine {
  projectId: string
  externalId: string
  title: string
  price?: number
  description?: string
  gtin?: string
  url: string
  imageUrl?: string
}

const ajv = new Ajv({ allErrors: true, formats })

/** The validation errors of a value. */
function complaints(schema: AnySchema, value: unknown): string[] {
  const check = ajv.compile(schema)
  check(value)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const projects = JSON.parse(readFileSync(path.join(DEMO, 'projects.json'), 'utf8')) as ProjectInput[]
const posts = projects.flatMap(({ id }) => readdirSync(path.join(DEMO, id, 'posts')).map((file) => readPost(id, file)))
const products = readFileSync(path.join(DEMO, 'products.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ProductLine)

function readPost(project: string, file: string): Post {
  const [, front, body] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(path.join(DEMO, project, 'posts', file), 'utf8')) ?? []
  if (front === undefined || body === undefined) throw new Error(`${project}/posts/${file} has no front matter`)
  return { project, file, front: parse(front) as FrontMatter, body }
}

/** Text outside fenced code. */
const prose = (body: string) => body.replace(/^```.*?^```$/gms, '')

/** The images in a text, as Markdown or HTML. */
function imagesIn({ body }: Post): { name: string; alt: string }[] {
  const markdown = [...prose(body).matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alt = '', name = '']) => ({
    name,
    alt
  }))
  const html = [...prose(body).matchAll(/<img\b[^>]*>/g)].map(([tag]) => ({
    name: /src="([^"]*)"/.exec(tag)?.[1] ?? '',
    alt: /alt="([^"]*)"/.exec(tag)?.[1] ?? ''
  }))
  return [...markdown, ...html]
}

function asInput({ project, front, body }: Post): unknown {
  const { title, slug, description, category, tags, author, locale, css, status } = front
  const person = typeof author === 'string' ? { name: author } : author
  return {
    projectId: project,
    title,
    slug,
    markdown: body,
    category,
    tags,
    author: person,
    locale,
    status,
    publishedAt: new Date(front.date).toISOString(),
    ...(front.translation_key && { translationKey: front.translation_key }),
    ...(description && { metaDescription: description }),
    ...(css && { css })
  }
}

const wordCount = ({ front, body }: Post) =>
  [...new Intl.Segmenter(front.locale, { granularity: 'word' }).segment(body)].filter((part) => part.isWordLike).length

t.test('the demo has two valid projects', async (t) => {
  t.equal(projects.length, 2)
  for (const project of projects) t.strictSame(complaints(ProjectInput, project), [], project.id)
})

t.test('there are at least twelve blogs, and all are valid', async (t) => {
  t.ok(posts.length >= 12)
  for (const post of posts) t.strictSame(complaints(BlogInput, asInput(post)), [], post.file)
})

t.test('every slug is valid, unique and the name of its file', async (t) => {
  t.equal(new Set(posts.map(({ front }) => front.slug)).size, posts.length)
  for (const { file, front } of posts) {
    t.equal(`${front.slug}.md`, file)
    t.match(front.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  }
})

t.test('descriptions have 121 to 156 characters', async (t) => {
  const written = posts.filter(({ front }) => front.description !== undefined)
  t.ok(written.length > 0 && written.length < posts.length, 'some blogs have no description')
  for (const { file, front } of written) {
    const length = [...(front.description ?? '')].length
    t.ok(length >= 121 && length <= 156, `${file}: ${length}`)
  }
})

t.test('the blogs are dated from 2025 to October 2026', async (t) => {
  const days = posts.map(({ front }) => new Date(front.date).toISOString()).sort()
  t.ok(days.every((day) => day >= '2025-01-01' && day < '2026-11-01'))
  t.strictSame([...new Set(days.map((day) => day.slice(0, 4)))], ['2025', '2026'])
})

t.test('the blogs are varied: languages, a draft, short and long texts', async (t) => {
  t.strictSame([...new Set(posts.map(({ front }) => front.locale))].sort(), ['ar', 'de', 'en', 'ja'])
  t.equal(posts.filter(({ front }) => front.status === 'draft').length, 1)
  t.equal(posts.filter((post) => wordCount(post) < 250).length, 1)
  t.ok(posts.every((post) => wordCount(post) <= 1200))
  t.ok(
    posts.some(({ body }) => body.includes('<details')) && posts.some(({ body }) => /^\[\^\w+\]:/m.test(body)),
    'questions that open, and footnotes'
  )
  t.ok(
    posts.some(({ body }) => new Set(body.match(/^```\w+/gm)).size >= 3),
    'code in three languages'
  )
})

t.test('three blogs are translated, one of them into two languages', async (t) => {
  const groups = Object.values(
    Object.groupBy(
      posts.filter(({ front }) => front.translation_key !== undefined),
      ({ project, front }) => `${project} ${front.translation_key}`
    )
  ).map((group) => group!.map(({ front }) => front.locale).sort())
  t.strictSame(groups.sort(), [
    ['ar', 'en'],
    ['de', 'en'],
    ['de', 'en', 'ja']
  ])
})

t.test('every image of a blog exists and has a text alternative', async (t) => {
  for (const post of posts) {
    for (const { name, alt } of [...imagesIn(post), { name: post.front.image, alt: post.front.image_alt }]) {
      t.ok(
        statSync(path.join(DEMO, post.project, 'images', name), { throwIfNoEntry: false })?.isFile(),
        `${post.file}: ${name}`
      )
      t.ok(alt.length >= 10, `${post.file}: ${name} has an alternative text`)
    }
  }
})

t.test('every link between blogs of a project has a target', async (t) => {
  for (const { project, file, body } of posts) {
    const { blogPath = '' } = projects.find(({ id }) => id === project) ?? {}
    const targets = [...body.matchAll(/(?:\]\(|href=")(\/[^)"]*)/g)].map(([, target = '']) => target)
    for (const target of targets) {
      t.ok(
        posts.some((other) => other.project === project && `${blogPath}/${other.front.slug}` === target),
        `${file}: ${target}`
      )
    }
  }
})

t.test('the images are small, generated by the script and used', async (t) => {
  const files = projects.flatMap(({ id }) =>
    readdirSync(path.join(DEMO, id, 'images')).map((name) => `${id}/images/${name}`)
  )
  const used = new Set(
    posts.flatMap((post) =>
      [post.front.image, ...imagesIn(post).map(({ name }) => name)].map((name) => `${post.project}/images/${name}`)
    )
  )
  const drawn = Object.keys(PICTURES).filter((name) => name.includes('/images/'))
  t.strictSame(files.sort(), drawn.sort())
  t.strictSame([...used].sort(), files)
  const sizes = files.map((file) => statSync(path.join(DEMO, file)).size)
  t.ok(sizes.every((size) => size < 60 * KB))
  t.ok(sizes.reduce((sum, size) => sum + size, 0) < 500 * KB)
})

t.test('the images have their generated sizes: wide, one portrait, one square, one transparent', async (t) => {
  const shapes = await Promise.all(
    Object.entries(PICTURES).map(async ([file, make]) => {
      const { width, height, hasAlpha } = await sharp(path.join(DEMO, file)).metadata()
      const drawn = make()
      t.strictSame([width, height], [drawn.width, drawn.height], file)
      return hasAlpha ? 'transparent' : width === height ? 'square' : width < height ? 'upright' : 'wide'
    })
  )
  t.strictSame([...new Set(shapes)].sort(), ['square', 'transparent', 'upright', 'wide'])
})

t.test('every product picture is drawn by the script, used and small', async (t) => {
  const drawn = Object.keys(PICTURES).filter((name) => name.includes('/products/'))
  const files = projects.flatMap(({ id }) =>
    readdirSync(path.join(DEMO, id, 'products')).map((name) => `${id}/products/${name}`)
  )
  const used = products.flatMap(({ projectId, imageUrl }) =>
    imageUrl === undefined ? [] : [imageUrl.replace(`https://images.${projectId}.example/`, `${projectId}/`)]
  )
  t.strictSame(files.sort(), drawn.sort())
  t.strictSame([...new Set(used)].sort(), files)
  const sizes = files.map((file) => statSync(path.join(DEMO, file)).size)
  t.ok(sizes.every((size) => size <= 15 * KB))
  t.ok(sizes.reduce((sum, size) => sum + size, 0) < 500 * KB)
})

t.test('there are at least sixty products with unique ids', async (t) => {
  t.ok(products.length >= 60)
  t.equal(new Set(products.map(({ projectId, externalId }) => `${projectId} ${externalId}`)).size, products.length)
  t.strictSame([...new Set(products.map(({ projectId }) => projectId))].sort(), projects.map(({ id }) => id).sort())
})

t.test('products are valid and use reserved domain names', async (t) => {
  for (const { externalId, title, price = 0, url, imageUrl } of products) {
    t.ok(externalId.length <= 255 && title.length >= 1 && title.length <= 500, externalId)
    t.ok(price >= 0 && price <= 9_999_999_999.9999 && Number(price.toFixed(4)) === price, `${externalId}: ${price}`)
    for (const address of [url, imageUrl ?? url]) t.ok(new URL(address).hostname.endsWith('.example'), address)
  }
})

t.test('the GTINs are valid numbers of the range for examples', async (t) => {
  for (const gtin of products.flatMap((product) => product.gtin ?? [])) {
    const sum = [...gtin].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0)
    t.ok(/^952\d{10}$/.test(gtin) && sum % 10 === 0, gtin)
  }
})

t.test('the CSV file has the same products as the NDJSON file', async (t) => {
  const [header = '', ...rows] = readFileSync(path.join(DEMO, 'products.csv'), 'utf8').trimEnd().split('\r\n')
  t.ok(header.startsWith('projectId,externalId,sku,title,'))
  const known = new Set(products.map(({ projectId, externalId }) => `${projectId},${externalId}`))
  t.ok(rows.length >= 20)
  for (const row of rows) t.ok(known.has(row.split(',', 2).join(',')), row.slice(0, 40))
})
