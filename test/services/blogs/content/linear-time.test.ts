import t from 'tap'
import { createInput, fromHtml, fromMarkdown } from './inputs.ts'
import { renderContent } from '../../../../services/blogs/content/index.ts'

const COUNTED = ['concat', 'filter', 'indexOf', 'map', 'slice', 'toReversed'] as const
type Method = (this: { length: number }, ...args: unknown[]) => unknown

/** Replaces a method by one that counts the elements of what it is called on. */
function count(prototype: object, name: string, add: (length: number) => void): () => void {
  const holder = prototype as Record<string, Method>
  const method = holder[name]!
  holder[name] = function (...args) {
    add(this.length)
    return Reflect.apply(method, this, args)
  }
  return () => (holder[name] = method)
}

/** The elements and characters that an act has copied or searched, in methods that read all of them. */
function stepsOf(act: () => void): number {
  let steps = 0
  const add = (length: number): void => {
    steps += length
  }
  const restore = [
    ...COUNTED.map((name) => count(Array.prototype, name, add)),
    count(String.prototype, 'split', (length) => add(length))
  ]
  try {
    act()
  } finally {
    for (const each of restore) each()
  }
  return steps
}

const texts: Record<string, (count: number) => void> = {
  'inline footnotes': (count) => fromMarkdown('^[a] '.repeat(10 * count)),
  footnotes: (count) => fromMarkdown(Array.from({ length: count }, (_, i) => `[^${i}]\n\n[^${i}]: a\n\n`).join('')),
  'removed images in a paragraph': (count) => fromHtml(`<p>a ${'<img src="http://a/b" alt="c"> '.repeat(count)}`),
  'removed images without text': (count) => fromHtml('<img src="http://a/b">'.repeat(count)),
  'removed images in paragraphs': (count) => fromHtml('<p><img src="http://a/b"></p>'.repeat(count)),
  'removed images in a figure': (count) => fromHtml(`<figure>${'<img src="http://a/b">'.repeat(count)}</figure>`),
  'removed check boxes': (count) => fromHtml('<input>'.repeat(count)),
  'CSS with errors in each line': (count) => renderContent(createInput('a', { css: `a{${'b;\n'.repeat(count)}}` }))
}

for (const [name, render] of Object.entries(texts)) {
  t.test(`twice as many take about twice as many steps: ${name}`, async (t) => {
    render(10)
    const steps = stepsOf(() => render(200))
    t.ok(steps > 0)
    t.ok(stepsOf(() => render(400)) < 2.5 * steps)
  })
}
