import type { VisualFinding } from '../../../../schemas/visual-check.ts'
import { evidenceWords, quoted } from './evidence.ts'
import { figure, type ShownPicture } from './html-pictures.ts'
import { html, nothing, type Markup } from './markup.ts'
import { places } from './where.ts'
import { CATEGORY_WORDS, CONFIDENCE_WORDS, counted, SEVERITY_WORDS } from './words.ts'

/**
 * A finding, and beside it how it looks. `place`: its place among all, from 0; it is shown with the
 * number that it has in the pictures.
 */
export function findingArticle(
  finding: VisualFinding,
  { place, crops }: { place: number; crops: ShownPicture[] }
): Markup {
  const remark = CONFIDENCE_WORDS[finding.confidence]
  const tags = [
    CATEGORY_WORDS[finding.category],
    finding.viewports.join(' and '),
    finding.scope === 'site' ? "the site's own frame" : '',
    finding.count > 1 ? counted(finding.count, 'place') : ''
  ].filter((tag) => tag !== '')
  return html`<article class="${finding.severity}">
<div class="words">
<p class="tags"><b class="number" aria-label="Finding ${place + 1}">${place + 1}</b><span class="severity">${SEVERITY_WORDS[finding.severity]}</span>${tags.map((tag) => html`<span>${tag}</span>`)}${remark === null ? nothing : html`<em>${remark}</em>`}</p>
<h3 dir="auto">${finding.message}</h3>
<p class="advice" dir="auto">${finding.advice}</p>
${comparison(finding)}
${facts(finding)}
</div>
${crops.length === 0 ? nothing : html`<div class="crops">${crops.map((crop) => figure(crop, { alt: `What finding ${place + 1} is about`, caption: crop.viewport }))}</div>`}
</article>`
}

function comparison({ expected, actual }: VisualFinding): Markup {
  const quote = (label: string, text: string | undefined): Markup =>
    text === undefined ? nothing : html`<div><dt>${label}</dt><dd dir="auto">${quoted(text)}</dd></div>`
  return expected === undefined && actual === undefined
    ? nothing
    : html`<dl class="quotes">${quote('Expected', expected)}${quote('Found', actual)}</dl>`
}

function facts(finding: VisualFinding): Markup {
  const where = places(finding).map(
    ({ selector, detail }) =>
      html`<li>${selector === '' ? nothing : html`<code>${selector}</code> `}<span>${detail}</span></li>`
  )
  const measured = evidenceWords(finding.evidence).map(
    ({ name, value }) => html`<li>${name} <b dir="auto">${value}</b></li>`
  )
  return html`<dl class="facts">
${where.length === 0 ? nothing : html`<div><dt>Where</dt><dd><ul>${where}</ul></dd></div>`}
${measured.length === 0 ? nothing : html`<div><dt>Measured</dt><dd><ul class="inline">${measured}</ul></dd></div>`}
<div><dt>Code</dt><dd><code>${finding.code}</code></dd></div>
</dl>`
}
