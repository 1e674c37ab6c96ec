import t from 'tap'
import { findStructure } from '../../../../services/blogs/content/structure.ts'
import { parseInDiv } from '../../../../services/blogs/content/tree.ts'
import { markdownToHtml } from '../../../../services/blogs/content/markdown.ts'
import { schemaOrgJson } from '../../../../services/blogs/content/index.ts'
import { schemaOrgProblems } from './schema-org-fields.ts'

const find = (markdown: string, { title = 'A post', locale = 'en' } = {}) =>
  findStructure(parseInDiv(`<div class="svc-blog">${markdownToHtml(markdown)}</div>`), { title, locale })
const questionsOf = (markdown: string, options = {}) => find(markdown, options).faq.map(({ question }) => question)
const details = (question: string, answer: string) =>
  `<details><summary>${question}</summary>\n\n${answer}\n\n</details>\n\n`

t.test('questions are the headings below an FAQ heading that have an answer', (t) => {
  const text =
    'Intro.\n\n## FAQ\n\n### Is it free?\n\nYes, *always*.\n\n* For all\n* For you\n\n' +
    '### How long?\n\nA week.\n\n## Next\n\nMore.\n'
  t.same(find(text).faq, [
    { question: 'Is it free?', answer: 'Yes, always. For all For you' },
    { question: 'How long?', answer: 'A week.' }
  ])
  t.same(find(text).howTo, null)
  for (const heading of [
    'FAQs',
    'Frequently Asked Questions (FAQ)',
    'Frequently asked questions about tires',
    'Häufige Fragen',
    'Foire aux questions',
    'Preguntas frecuentes',
    'よくある質問',
    'الأسئلة الشائعة'
  ]) {
    t.equal(questionsOf(text.replace('## FAQ', `## ${heading}`)).length, 2, heading)
  }
  t.same(questionsOf('## Is it free?\n\nYes.\n\n## How long?\n\nA week.\n', { title: 'FAQ: Tires' }), [
    'Is it free?',
    'How long?'
  ])
  t.same(
    questionsOf('## FAQ\n\n### Price\n\n#### Free?\n\nYes.\n\n### Time\n\n#### Long?\n\nNo.\n'),
    ['Free?', 'Long?'],
    'questions may be grouped'
  )
  t.same(questionsOf('## よくある質問\n\n### 無料ですか？\n\nはい。\n\n### いつ？\n\n明日。\n', { locale: 'ja' }), [
    '無料ですか？',
    'いつ？'
  ])
  t.end()
})

t.test('questions are details elements, all of them if there is no FAQ heading', (t) => {
  const two = details('Is it free?', 'Yes.') + details('How long?', 'A week.')
  t.same(find(`Intro.\n\n${two}`).faq, [
    { question: 'Is it free?', answer: 'Yes.' },
    { question: 'How long?', answer: 'A week.' }
  ])
  t.same(questionsOf(`${two}${details('Show the code', 'x')}`), [], 'a spoiler is no question')
  t.same(questionsOf(`## FAQ\n\n${two}${details('Prices', 'x')}`), ['Is it free?', 'How long?', 'Prices'])
  t.same(questionsOf(`## FAQ\n\n### Price\n\n${two}### Time\n\n${details('Long?', 'No.')}`).length, 3)
  t.end()
})

t.test('uncertain questions are left out', (t) => {
  for (const [name, text] of Object.entries({
    'no FAQ heading': '## Is it free?\n\nYes.\n\n## How long?\n\nA week.\n',
    'one question': '## FAQ\n\n### Is it free?\n\nYes.\n',
    'a question without an answer': '## FAQ\n\n### Is it free?\n\n### How long?\n\nA week.\n',
    'a heading that is no question': '## FAQ\n\n### Free?\n\nYes.\n\n### Long?\n\nNo.\n\n### Summary\n\nDone.\n',
    'an image as the answer': '## FAQ\n\n### Free?\n\nYes.\n\n### Long?\n\n![](https://a.example/b.png)\n',
    'one details element': details('Is it free?', 'Yes.'),
    'an empty details element': details('Is it free?', 'Yes.') + '<details><summary>Why?</summary></details>',
    'a heading that only starts alike': '## FAQing around\n\n### Free?\n\nYes.\n\n### Long?\n\nNo.\n'
  })) {
    t.same(questionsOf(text), [], name)
  }
  t.end()
})

t.test('steps are the list below a how-to heading, or numbered step headings', (t) => {
  const list = '1. Grind the **beans**.\n2. Pour water:\n   * slowly\n   * hot\n3. Wait.\n'
  const steps = ['Grind the beans.', 'Pour water: slowly hot', 'Wait.'].map((text) => ({ name: null, text }))
  t.same(find(`Intro.\n\n## How to brew coffee\n\nYou need beans.\n\n${list}\n## More\n\n1. a\n2. b\n`).howTo, {
    name: 'How to brew coffee',
    steps
  })
  t.same(find(`Intro.\n\n## Steps\n\n${list}`, { title: 'How to brew coffee' }).howTo?.steps, steps)
  t.same(
    find('## Step 1: Grind\n\nFine.\n\n## Step 2\n\nPour.\n\n## Step 3 – Wait\n\n## Done\n\nDrink.\n', {
      title: 'How to brew'
    }).howTo,
    {
      name: 'How to brew',
      steps: [
        { name: 'Grind', text: 'Fine.' },
        { name: null, text: 'Pour.' },
        { name: 'Wait', text: 'Wait' }
      ]
    }
  )
  t.same(find(`## Wie man Kaffee brüht\n\n${list}`, { locale: 'de-AT' }).howTo?.steps, steps)
  t.same(find(`## Étapes\n\n${list}`, { title: 'Comment faire du café', locale: 'fr' }).howTo?.steps, steps)
  t.end()
})

t.test('uncertain steps are left out', (t) => {
  const list = '1. a\n2. b\n'
  for (const [name, text, options] of [
    ['no how-to heading', `## Our values\n\n${list}`, {}],
    ['a how-to title without a heading of the steps', `Reasons:\n\n${list}`, { title: 'How to be happy' }],
    ['steps of a title that is no how-to', `## Steps\n\n${list}`, { title: 'Our history' }],
    ['two lists', `## How to brew\n\n${list}\nText.\n\n${list}`, {}],
    ['two guides', `## How to brew\n\n${list}\n## How to grind\n\n${list}`, {}],
    ['one step', '## How to brew\n\n1. a\n', {}],
    ['bullets', '## How to brew\n\n* a\n* b\n', {}],
    ['a gap in the numbers', '## Step 1\n\na\n\n## Step 3\n\nb\n', { title: 'How to brew' }],
    ['a word of another language', `## Comment threads\n\n${list}`, {}],
    ['a language without known words', `## How to brew\n\n${list}`, { locale: 'fi' }],
    ['footnotes', '## How to brew\n\nText[^1] and[^2].\n\n[^1]: a\n[^2]: b\n', {}]
  ] as const) {
    t.equal(find(text, options).howTo, null, name)
  }
  t.end()
})

t.test('the JSON-LD of questions and steps has the fields that search engines require', (t) => {
  const structure = find(
    '## Steps\n\n1. Grind </script>.\n2. Pour \ud800.\n\n## FAQ\n\n### Hot?\n\nYes & no.\n\n### Cold?\n\n`No`.\n',
    { title: 'How to brew' }
  )
  const json = schemaOrgJson({
    title: 'How to brew',
    description: 'All about it.',
    imageUrls: ['https://a.example/1.jpg'],
    datePublished: '2024-05-01T08:00:00.000Z',
    dateModified: '2024-05-02T08:00:00.000Z',
    authors: [
      { name: 'Ada', url: 'https://a.example/ada' },
      { name: 'Bo', url: null }
    ],
    publisherName: 'Acme',
    pageUrl: 'https://a.example/blog/brew',
    siteUrl: 'https://a.example/',
    blogUrl: 'https://a.example/blog',
    locale: 'en',
    wordCount: 20,
    category: 'Coffee',
    categoryUrl: 'https://a.example/blog/in/coffee',
    tags: [],
    structure
  })
  t.notMatch(json, /[<>&]/)
  t.ok(json.isWellFormed())
  const nodes = JSON.parse(json)['@graph']
  t.same(
    nodes.map((node: Record<string, unknown>) => node['@type']),
    ['BlogPosting', 'BreadcrumbList', 'FAQPage', 'HowTo']
  )
  for (const node of nodes) t.same(schemaOrgProblems(node), [], node['@type'])
  t.match(nodes[1].itemListElement[2], { position: 3, name: 'Coffee', item: 'https://a.example/blog/in/coffee' })
  t.match(nodes[2].mainEntity[0], { name: 'Hot?', acceptedAnswer: { text: 'Yes & no.' } })
  t.match(nodes[3], { name: 'How to brew', step: [{ position: 1, text: 'Grind .' }, { position: 2 }] })
  t.not(schemaOrgProblems({ ...nodes[2], mainEntity: [{ '@type': 'Question', name: 'Hot?' }] }).length, 0)
  t.not(schemaOrgProblems({ ...nodes[1], itemListElement: nodes[1].itemListElement.slice(0, 1) }).length, 0)
  t.not(schemaOrgProblems({ ...nodes[0], author: [{ '@type': 'Person' }] }).length, 0)
  t.not(schemaOrgProblems({ ...nodes[3], color: 'red' }).length, 0)
  t.end()
})
