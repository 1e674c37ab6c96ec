import { createPost } from '../growth/content.ts'

const CODE = `\`\`\`js
export async function load(id) {
  const response = await fetch(\`/items/\${id}\`)
  if (!response.ok) throw new Error('failed')
  return await response.json()
}
\`\`\``

/** Paragraphs as authors write them: emphasis, links, code, quotes, lists and a table. */
function formatted(words: string[], at: number): string {
  const text = words.join(' ')
  switch (at % 6) {
    case 0:
      return `**${words[0]}** ${text}, see [${words[1]} ${words[2]}](https://example.com/${words[3]}).`
    case 1:
      return words
        .slice(0, 24)
        .map((word, index) => (index % 6 === 0 ? `\n* ${word}` : word))
        .join(' ')
        .trim()
    case 2:
      return `> ${text}.`
    case 3:
      return `${text} with \`${words[0]}\` and *${words[1]}*.\n\n${CODE}`
    case 4:
      return ['| A | B |', '| --- | --- |', `| ${words[0]} | ${words[1]} |`, `| ${words[2]} | ${words[3]} |`].join('\n')
    default:
      return `### ${words[0]} ${words[1]}\n\n${text}.`
  }
}

/** The Markdown file of the post with this index: 5 KB on average. */
export function createFile(index: number): string {
  const posts = [0, 1, 2].map((part) => createPost(index * 3 + part, 'site'))
  const paragraphs = posts.flatMap(({ markdown = '' }) => markdown.split('\n\n'))
  const body = paragraphs.flatMap((paragraph, at) =>
    at % 3 === 0 ? [paragraph] : [formatted(paragraph.replaceAll('.', '').split(' '), at)]
  )
  const [post] = posts
  const { title, publishedAt } = post!
  return [
    '---',
    `title: "${title}"`,
    `date: ${publishedAt.slice(0, 10)}`,
    `slug: post-${index}`,
    `tags: [tag-${index % 40}]`,
    '---',
    body.join('\n\n').slice(0, 5_000),
    ''
  ].join('\n')
}
