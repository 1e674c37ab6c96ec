import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { deliverHtml, renderContent, sanitizeHtml } from '../../../../services/blogs/content/index.ts'
import { offences } from './delivered.ts'
import { inputOf, PUBLIC_URL } from './fixtures.ts'

const HOSTILE = path.resolve(import.meta.dirname, '../../../../../shared/data/hostile')
const skip = !existsSync(HOSTILE) && 'the hostile texts are not here'

/** What is wrong with the outcome of a text, sent as Markdown and as HTML. */
function wrongWith(text: string): string[] {
  return (['markdown', 'html'] as const).flatMap((format) => {
    const input = inputOf(text, { format })
    const { html } = renderContent(input)
    const delivered = deliverHtml(html, PUBLIC_URL)
    const again =
      deliverHtml(sanitizeHtml(delivered, input).html, PUBLIC_URL) === delivered
        ? []
        : ['it changes when it is sanitized again']
    return [...offences(delivered, PUBLIC_URL), ...again].map(
      (offence) => `${format}: ${offence}: ${text.slice(0, 200)}`
    )
  })
}

t.test('no published payload gets an element, an attribute or an address past the allow-list', { skip }, async (t) => {
  const payloads = readFileSync(path.join(HOSTILE, 'xss-payloads.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  t.ok(payloads.length > 6000)
  t.same(payloads.flatMap(wrongWith).slice(0, 10), [])
})

t.test('payloads that stand together do no more than each alone', { skip }, async (t) => {
  const payloads = readFileSync(path.join(HOSTILE, 'xss-payloads.txt'), 'utf8').split('\n')
  for (let from = 0; from < payloads.length; from += 400) {
    t.same(wrongWith(payloads.slice(from, from + 400).join('\n')), [])
  }
})

t.test('strings that break other software come out safe', { skip }, async (t) => {
  const strings = JSON.parse(readFileSync(path.join(HOSTILE, 'naughty-strings.json'), 'utf8')) as string[]
  t.same(strings.flatMap(wrongWith), [])
})
