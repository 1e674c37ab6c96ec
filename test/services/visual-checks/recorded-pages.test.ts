import t from 'tap'
import type { FindingCode } from '../../../services/visual-checks/rules/codes.ts'
import {
  assertDefect,
  assertIllegible,
  assertMediaFindings,
  assertNoFindings,
  assertNothingReported,
  assertOnly
} from '../../fixtures/visual-check/assertions.ts'
import type { PageCase } from '../../fixtures/visual-check/page-cases/case.ts'
import { DEFECTIVE_SITES } from '../../fixtures/visual-check/page-cases/defective-sites.ts'
import { GOOD_SITES } from '../../fixtures/visual-check/page-cases/good-sites.ts'
import { GROUPS } from '../../fixtures/visual-check/page-cases/index.ts'
import { ILLEGIBLE, LEGIBLE } from '../../fixtures/visual-check/page-cases/legibility.ts'
import { SERVED_IMAGES } from '../../fixtures/visual-check/page-cases/served-images.ts'
import { evaluateRecorded, readRecording } from '../../fixtures/visual-check/recordings.ts'

/*
 * Evaluates recorded page snapshots. The browser tier verifies that Chromium still gives the same
 * findings; `npm run test:browser -- --record` records the snapshots again.
 */

async function openRecording(group: string) {
  const recording = await readRecording(group)
  return (name: string) => {
    const page = recording[name]
    if (page === undefined) throw new Error(`${name} is not in the recording "${group}". Run the browser tier.`)
    return evaluateRecorded(page)
  }
}

for (const [group, cases] of Object.entries(GROUPS) as [string, Record<FindingCode, PageCase>][]) {
  const evaluatePage = await openRecording(group)
  for (const [code, one] of Object.entries(cases) as [FindingCode, PageCase][]) {
    t.test(`${code} is the only finding of ${one.defect}; ${one.harmless} has none`, async (t) => {
      assertDefect(t, evaluatePage(`${code}: defect`), { ...one, code })
      assertNothingReported(t, evaluatePage(`${code}: harmless`))
    })
  }
}

t.test('good pages have no findings and a score of 100', async (t) => {
  const evaluatePage = await openRecording('good-pages')
  for (const name of ['english', 'arabic', 'japanese']) {
    assertNoFindings(t, evaluatePage(name))
    // The code block scrolls sideways in the mobile viewport.
    const compared = name === 'english' ? 0.952 : 1
    t.same(evaluatePage(name).coverage, { inDom: 1, visible: 1, cssHeld: 1, compared, measured: 1 })
  }
})

const evaluateVariant = await openRecording('site-variants')
for (const name of Object.keys(GOOD_SITES)) {
  t.test(`a page with ${name} has no findings`, async (t) => {
    assertNothingReported(t, evaluateVariant(name))
  })
}
for (const [name, { code }] of Object.entries(DEFECTIVE_SITES)) {
  t.test(`${code} is the only finding of a page with ${name}`, async (t) => {
    assertOnly(t, evaluateVariant(name), code)
  })
}

const evaluateLegibility = await openRecording('legibility')
for (const [name, { codes }] of Object.entries(ILLEGIBLE)) {
  t.test(`${name} is reported once, in both viewports`, async (t) => {
    assertIllegible(t, evaluateLegibility(name), codes)
  })
}
for (const name of Object.keys(LEGIBLE)) {
  t.test(`${name} has no findings`, async (t) => {
    assertNoFindings(t, evaluateLegibility(name))
  })
}

t.test('another image with our alt text is reported; ours in another size, format or crop is not', async (t) => {
  const evaluatePage = await openRecording('served-images')
  for (const [name, { codes }] of Object.entries(SERVED_IMAGES)) assertMediaFindings(t, evaluatePage(name), codes)
})
