import t from 'tap'
import {
  excerptFrom,
  metaDescriptionFrom,
  metaDescriptionFromExcerpt,
  renderContent
} from '../../../../services/blogs/content/index.ts'
import { fromMarkdown, createInput } from './inputs.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 10}`).join(' ')

t.test('a description ends with the last sentence that fits', async (t) => {
  const text =
    'First sentence of about sixty characters, to be counted here. Second sentence of about sixty ' +
    `characters, to be counted here too. Third one.${' More.'.repeat(10)}`
  const description = metaDescriptionFrom(text, 'en')
  t.match(description, /\.$/)
  t.ok(description.length >= 121 && description.length <= 156, description)
})

t.test('without a sentence that fits, a description ends at a clause or after a word', async (t) => {
  const clause = metaDescriptionFrom(`${words(21)}, ${words(40)}.`, 'en')
  t.equal(clause, `${words(21)}…`)
  const word = metaDescriptionFrom(words(60), 'en')
  t.match(word, /word\d…$/)
  t.ok(word.length >= 121 && word.length <= 156)
})

t.test('a short text is its own description', async (t) => {
  t.equal(metaDescriptionFrom('Short\n and   sweet.', 'en'), 'Short and sweet.')
})

t.test('descriptions in wide scripts have half as many characters', async (t) => {
  const description = metaDescriptionFrom(
    '今日はとても天気がいいので、友達と一緒に公園へ散歩に行きました。'.repeat(8),
    'ja'
  )
  t.ok(description.length >= 61 && description.length <= 80, `${description.length}`)
})

t.test('a description uses the opening prose, not headings, code, captions, credits or link lists', async (t) => {
  const prose = 'This is the sentence that the article really begins with, as any reader can see.'
  const { metaDescription, excerpt } = fromMarkdown(
    '## A heading\n\n```\ncode first\n```\n\nPhoto credit: Jane Doe, all rights reserved by her.\n\n' +
      '[one link](/a) and [two link](/b) and [three link](/c)\n\n{% include x %}\n\n' +
      `${prose}\n\n<figure><figcaption>A caption of the figure that is long.</figcaption></figure>`
  )
  t.equal(metaDescription, prose)
  t.equal(excerpt, prose)
})

t.test("the author's description is unchanged, with a warning if it is too long", async (t) => {
  const own = renderContent(createInput('text', { metaDescription: `  ${'own '.repeat(50)}` }))
  t.equal(own.metaDescription, 'own '.repeat(50).trim())
  t.match(own.warnings, [/the meta description has 199 characters/])
})

t.test('an excerpt is the first paragraph, cut at a sentence within 300 characters', async (t) => {
  t.equal(excerptFrom('One.\nTwo.', 'en'), 'One.')
  const long = excerptFrom(`A ${words(40)}. `.repeat(5), 'en')
  t.equal(long, `A ${words(40)}.`)
})

t.test('a description made from a long excerpt ends at a sentence within 156 characters', (t) => {
  const sentence = (length: number) => `Word ${'word '.repeat(length / 5 - 1).trim()}.`
  const of = (...lengths: number[]) => metaDescriptionFromExcerpt(lengths.map(sentence).join(' '), 'en')
  t.equal(of(60, 70, 200).length <= 156 && of(60, 70, 200).endsWith('.'), true)
  t.equal(of(60, 400), sentence(60), 'a short sentence is better than a part of a long one')
  t.match(of(300), /…$/, 'a first sentence that is too long is cut')
  t.match(of(10, 400), /…$/, 'a few words are no description')
  t.ok(of(300).length <= 156)
  t.equal(of(40), sentence(40))
  t.equal(metaDescriptionFromExcerpt('短い文です。'.repeat(30), 'ja').at(-1), '。')
  t.end()
})
