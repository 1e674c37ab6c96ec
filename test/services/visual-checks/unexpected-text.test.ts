import t from 'tap'
import type { UnexpectedText } from '../../../ports/browser/port/page-snapshot.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import type { ExpectedPage } from '../../../services/visual-checks/rules/rule.ts'
import { expected, lose, snapshotsWith, unexpectedText } from '../../fixtures/visual-check/snapshots.ts'

const FOREIGN = 'Cheap watches and handbags from our partners this week.'
const between = (text: string, isFurniture = false): UnexpectedText => ({
  ...unexpectedText(text, 'between'),
  isFurniture
})

function check(
  texts: UnexpectedText[],
  { changes = {}, lost = [] }: { changes?: Partial<ExpectedPage>; lost?: number[] } = {}
) {
  const snapshots = snapshotsWith((snapshot) => {
    snapshot.unexpectedTexts.push(...texts)
    lose(snapshot, ...lost)
  })
  return evaluate({ snapshots, expected: expected(changes), missingFonts: [] })
}
const codesOf = (...args: Parameters<typeof check>): string[] => check(...args).findings.map(({ code }) => code)

t.test('a foreign sentence between the paragraphs is reported in words of its own', async (t) => {
  const { findings, overallScore } = check([between(FOREIGN)])
  t.match(findings, [{ code: 'UNEXPECTED_TEXT', severity: 'medium', actual: FOREIGN }])
  t.match(findings[0]!.message, /neither from the blog nor recognizable as a part of the site/)
  t.equal(overallScore, 89)
  t.match(check([between('.card { display: grid } .card img { width: 100% }')]).findings[0]!.message, /^Source code/)
})

t.test('a sentence in a script without spaces is reported, too', async (t) => {
  t.same(codesOf([between('今週は提携店の安い時計とかばんをご紹介しています。')]), ['UNEXPECTED_TEXT'])
})

t.test('furniture, labels, code, and text outside of the paragraphs are not reported', async (t) => {
  t.same(codesOf([between(FOREIGN, true)]), [])
  t.same(codesOf([between('Advertisement'), between('Continue reading below')]), [])
  t.same(codesOf([{ ...between(FOREIGN), inCode: true }]), [])
  t.same(codesOf([{ ...between(FOREIGN), scope: 'around' }]), [])
  t.same(codesOf([unexpectedText(FOREIGN, 'between')]), [], 'a snapshot that does not tell furniture')
})

t.test('text that replaces ours is reported as missing text', async (t) => {
  t.same(codesOf([between(FOREIGN)], { lost: [4] }), ['CONTENT_INCOMPLETE'])
})

t.test('what other pages of the site have, too, is a part of the site', async (t) => {
  const { siteTexts } = check([between(FOREIGN)])
  t.same(codesOf([between(FOREIGN)], { changes: { siteTexts } }), [])
  t.same(codesOf([between(`${FOREIGN} Now!`)], { changes: { siteTexts } }), ['UNEXPECTED_TEXT'])
  const long = `${FOREIGN} ${FOREIGN} ${FOREIGN}`
  t.same(codesOf([between(long)]), ['CONTENT_MIXED'])
  t.same(codesOf([between(long)], { changes: { siteTexts: check([between(long)]).siteTexts } }), [])
  const source = '.card { display: grid } .card img { width: 100% }'
  const known = check([between(source)]).siteTexts
  t.same(codesOf([between(source)], { changes: { siteTexts: known } }), ['UNEXPECTED_TEXT'], 'source code never is')
})
