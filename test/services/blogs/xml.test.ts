import t from 'tap'
import { element, encodeXmlDocument, longElement, xmlDocument } from '../../../services/blogs/xml.ts'

t.test('a long element is the same as a short one, in parts of limited length', (t) => {
  // Of every length around a part, so that pairs of surrogates begin and end at its boundary.
  for (let padding = 32_760; padding <= 32_775; padding++) {
    for (const text of ['😀é<&>"\'\u0000\ud83d\ufffe', '<b>😀</b>'.repeat(10_000)]) {
      const long = 'x'.repeat(padding) + text
      const parts = [...longElement('content:encoded', long)]
      t.equal(parts.join(''), element('content:encoded', long))
      t.ok(parts.every((part) => part.isWellFormed()))
      t.ok(parts.every((part) => part.length <= 6 * 32_770))
    }
  }
  t.end()
})

t.test('a document that is made in parts is the same as one that is not', async (t) => {
  const parts = ['<a>', element('b', 'é😀'), '</a>']
  t.equal((await encodeXmlDocument(parts)).toString(), xmlDocument(...parts))
})
