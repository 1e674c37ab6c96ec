import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { deliverHtml, renderContent, sanitizeHtml, schemaOrgJson } from '../../../../services/blogs/content/index.ts'
import { offences } from './delivered.ts'
import { inputOf, PUBLIC_URL } from './fixtures.ts'

const POSTS = path.resolve(import.meta.dirname, '../../../../../shared/data/18f-posts')

/** The text below a front matter, and the title in it. */
function read(name: string): { title: string; text: string } {
  const [, front = '', ...rest] = readFileSync(path.join(POSTS, name), 'utf8').split(/^---\s*$/m)
  return { title: /^title:\s*["']?(.*?)["']?\s*$/m.exec(front)?.[1] ?? name, text: rest.join('---') }
}

t.test(
  '509 real posts come out safe, whole and the same a second time',
  { skip: !existsSync(POSTS) && 'the real posts are not here' },
  async (t) => {
    let described = 0
    for (const name of readdirSync(POSTS)) {
      const { title, text } = read(name)
      const input = { ...inputOf(text), title }
      const content = renderContent(input)
      const delivered = deliverHtml(content.html, PUBLIC_URL)
      if (offences(content.html).length > 0) t.same(offences(content.html), [], `${name} is safe`)
      if (sanitizeHtml(content.html, input).html !== content.html) {
        t.fail(`${name} changes when it is sanitized again as it was stored`)
      }
      if (deliverHtml(sanitizeHtml(delivered, input).html, PUBLIC_URL) !== delivered) {
        t.fail(`${name} changes when it is sanitized again as it was delivered`)
      }
      if (content.wordCount < 15) t.fail(`${name} has lost its text: ${content.wordCount} words`)
      const { length } = content.metaDescription
      if (length > 156 || (length < 121 && content.text.length > 1000)) {
        t.fail(`${name}: a description of ${length}: ${content.metaDescription}`)
      }
      if (length >= 121 && length <= 156) described++

      const json = schemaOrgJson({
        title,
        description: content.metaDescription,
        imageUrls: [],
        datePublished: '2024-01-01T00:00:00.000Z',
        dateModified: null,
        author: null,
        publisherName: '18F',
        pageUrl: 'https://example.com/blog/x',
        siteUrl: 'https://example.com/',
        blogUrl: 'https://example.com/blog',
        locale: 'en',
        wordCount: content.wordCount,
        category: null,
        tags: []
      })
      if (/[<>&]/.test(json) || JSON.parse(json)['@graph'].length !== 2) t.fail(`${name}: JSON-LD`)
    }
    t.ok(described > 490, `${described} descriptions fill their room`)
  }
)
