import t from 'tap'
import { parseInDiv, parseInDivInSlices, serialize } from '../../../../services/blogs/content/tree.ts'
import { createSeededRandom } from '../../../fixtures/seeded-random.ts'
import { SEED } from '../../../seed.ts'

/** Parts that mean something else when they are read in two halves. */
const PARTS = [
  '<p>words and words</p>',
  '<table><tr><td>1</td><td>2</tr></table>',
  '<td>stray',
  '&amp;',
  '&notin;',
  '&#x1F600;',
  '&copy',
  '\r\n',
  '😀',
  'e\u0301',
  '<pre>\n\nlines</pre>',
  '<textarea>\n</p></textarea>',
  '<script>if (a < b) "</p>"</script>',
  '<style>p > a { color: red }</style>',
  '<!-- a -- b -->',
  '<![CDATA[ x ]]>',
  '<a href="/?a=1&b=2" title=\'"\' hidden>',
  '</a>',
  '<b><i>wrong</b> order</i>',
  '<svg><title>t</title><![CDATA[<p>]]></svg>',
  '<template><tr><td>x</td></tr></template>',
  '<select><option>1<option>2</select>',
  '<li>one<li>two',
  '\u0000',
  '\ud800',
  '<',
  '</',
  '<img src=x>'
]

t.test(`HTML that is parsed in slices has the same nodes (SEED=${SEED})`, async (t) => {
  const random = createSeededRandom(SEED)
  for (let round = 0; round < 60; round++) {
    let html = 'x'.repeat(Math.floor(random() * 40))
    while (html.length < 25_000) html += PARTS[Math.floor(random() * PARTS.length)]!
    let pauses = 0
    const fragment = await parseInDivInSlices(html, async () => {
      pauses++
    })
    t.equal(serialize(fragment), serialize(parseInDiv(html)), `round ${round}`)
    t.ok(pauses >= 3)
  }
})

t.test('an empty text has no nodes', async (t) => {
  t.same((await parseInDivInSlices('', async () => {})).childNodes, [])
})
