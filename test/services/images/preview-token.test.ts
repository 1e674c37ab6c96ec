import t from 'tap'
import { signPreview, verifyPreview } from '../../../services/images/preview-token.ts'

const blogId = '01890a5d-ac96-774b-bcce-b302099a8057'
const other = '01890a5d-ac96-774b-bcce-b302099a8058'
const secret = 'a secret of at least thirty-two bytes'
const expiresAt = Date.UTC(2025, 0, 2)

t.test('a preview token is valid for its blog until it expires', async (t) => {
  const token = signPreview({ blogId, expiresAt }, secret)
  t.match(token, /^[A-Za-z0-9._-]{45,60}$/)
  t.ok(verifyPreview(token, { blogId, now: expiresAt - 1 }, secret))
  t.notOk(verifyPreview(token, { blogId, now: expiresAt }, secret))
  t.notOk(verifyPreview(token, { blogId: other, now: 0 }, secret))
  t.notOk(verifyPreview(token, { blogId, now: 0 }, 'another secret of some length, really'))
})

t.test('a token changed in any character is invalid', async (t) => {
  const token = signPreview({ blogId, expiresAt }, secret)
  for (let i = 0; i < token.length; i++) {
    for (const letter of ['A', 'B', 'z', '0', '.', '-', '=']) {
      if (letter !== token[i]) {
        t.notOk(verifyPreview(token.slice(0, i) + letter + token.slice(i + 1), { blogId, now: 0 }, secret))
      }
    }
  }
  for (const forged of [
    '',
    '.',
    token + 'A',
    token.slice(0, -1),
    ' ' + token,
    token + '\n',
    `${token}.${token}`,
    'zzzzzzzzzzzz.' + 'A'.repeat(43)
  ]) {
    t.notOk(verifyPreview(forged, { blogId, now: 0 }, secret), JSON.stringify(forged))
  }
})
