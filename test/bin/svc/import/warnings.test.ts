import t from 'tap'
import { summarizeWarnings } from '../../../../bin/svc/import/warnings.ts'

const repeated = (count: number, warning: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => ({ file: `${i}.md`, warning: warning(i) }))

t.test('warnings that differ in names, tags and numbers only are one kind, the most frequent first', async (t) => {
  const warnings = [
    ...repeated(2, () => '<script> was removed'),
    ...repeated(5, (i) => `the image photo-${i}.jpg has no alternative text`),
    ...repeated(4, (i) => `the text contains the template tag {% include "a ${i}.html" caption="cut o`),
    ...repeated(3, () => 'the front matter is not valid YAML; it was parsed leniently'),
    ...['Figs', 'A tree in the garden of a friend'].flatMap((caption) =>
      repeated(1, () => `the caption of a removed image was removed: ${caption}`)
    ),
    ...repeated(1, () => 'the link to #top has no target in the blog')
  ]
  t.same(summarizeWarnings(warnings), [
    '! the image … has no alternative text (5)',
    '    0.md: the image photo-0.jpg has no alternative text',
    '    1.md: the image photo-1.jpg has no alternative text',
    '    2.md: the image photo-2.jpg has no alternative text',
    '    …',
    '! the text contains the template tag {% include "a … caption="cut o (4)',
    '    0.md: the text contains the template tag {% include "a 0.html" caption="cut o',
    '    1.md: the text contains the template tag {% include "a 1.html" caption="cut o',
    '    2.md: the text contains the template tag {% include "a 2.html" caption="cut o',
    '    …',
    '! the front matter is not valid YAML; it was parsed leniently (3)',
    '    0.md',
    '    1.md',
    '    2.md',
    '! <script> was removed (2)',
    '    0.md',
    '    1.md',
    '! the caption of a removed image was removed: … (2)',
    '    0.md: the caption of a removed image was removed: Figs',
    '    0.md: the caption of a removed image was removed: A tree in the garden of a friend',
    '! the link to #top has no target in the blog (1)',
    '    0.md'
  ])
})

t.test('only the most frequent kinds are listed', async (t) => {
  const letters = (i: number) => 'abcdefghijklmnopqrstuvwxyz'[i]!
  const lines = summarizeWarnings(repeated(26, (i) => `kind ${letters(i)} of a problem`))
  t.equal(lines.filter((line) => line.startsWith('!')).length, 21)
  t.equal(lines.at(-1), '! 6 warnings of other kinds')
  t.same(summarizeWarnings([]), [])
})
