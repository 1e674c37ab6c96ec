import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  FINDING_CATEGORIES,
  SEVERITIES,
  type FindingCategory,
  type VisualCheck,
  type VisualFinding
} from '../../../schemas/visual-check.ts'
import { html, trustedHtml, type Html } from '../../../lib/html.ts'
import {
  CATEGORY_LABELS,
  CONFIDENCE_LABELS,
  formatCoverage,
  formatDiff,
  formatEnvironment,
  formatEvidence,
  formatPlaces,
  formatQuote,
  formatTags,
  formatTime,
  formatRating,
  NO_FINDINGS,
  pluralize,
  SEVERITY_LABELS
} from './format.ts'
import { renderHistory, type HistoryEntry } from './history.ts'
import {
  renderChanges,
  renderCrops,
  renderFigure,
  renderPages,
  SLIDER_SCRIPT,
  toPictures,
  type Picture,
  type ReportImages
} from './pictures.ts'

/** What a report shows besides the check. */
export interface ReportContext {
  /** The files of the check's screenshots, by name. */
  images: ReportImages
  /** The checks of the page up to this one, the latest first. */
  history?: readonly HistoryEntry[]
  /** The pictures of the previous check. */
  previous?: readonly Picture[]
}

const STYLES = readFileSync(path.join(import.meta.dirname, 'report.css'), 'utf8')
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded, and only the report's own style sheet and script apply. */
const DOCUMENT_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src ${hashOf(STYLES)}`,
  `script-src ${hashOf(SLIDER_SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')
/** The header can also forbid frames, and takes the origin of the API from the report. */
export const REPORT_POLICY = `${DOCUMENT_POLICY}; frame-ancestors 'none'; sandbox allow-scripts allow-popups`

/**
 * A visual check as one self-contained HTML file: styles and screenshots are embedded. Content of the
 * checked page is escaped. Screenshots without an image are left out. The bytes of pictures are still missing: see
 * `streamHtmlReport`.
 */
export function renderHtmlReport(check: VisualCheck, { images, history = [], previous = [] }: ReportContext): string {
  const pictures = toPictures(check.screenshots, images)
  const title = check.overallScore === null ? 'No score' : `${check.overallScore} of 100`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${DOCUMENT_POLICY}">
<title>${title}: ${check.url}</title>
<style>${trustedHtml(STYLES)}</style>
</head>
<body>
<main>
${renderHeader(check, pictures)}
${renderCategories(check)}
${renderHistory(history)}
${renderFindings(check, pictures)}
${renderChanges(previous, pictures)}
${renderPages(pictures)}
</main>
<footer>${[`Check ${check.id}`, ...formatEnvironment(check)].join(' · ')}</footer>
<script>${trustedHtml(SLIDER_SCRIPT)}</script>
</body>
</html>
`
  return page.markup
}

function renderHeader(check: VisualCheck, screenshots: Picture[]): Html {
  const { environment, createdAt, url, finalUrl, overallScore } = check
  const diff = formatDiff(check)
  const coverage = formatCoverage(check).map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)
  const thumbnails = screenshots
    .filter(({ kind }) => kind === 'thumb')
    .map((thumbnail) =>
      renderFigure(thumbnail, { alt: `The page at ${thumbnail.viewport} size`, caption: thumbnail.viewport })
    )
  const isRedirected = finalUrl !== null && finalUrl !== url
  return html`<header>
${renderScoreCircle(overallScore)}
<div class="summary">
<p class="muted">Visual check · ${environment} · ${formatTime(createdAt)}</p>
<h1>${formatRating(check)}</h1>
<p class="address">${renderLink(url)}</p>
${isRedirected ? html`<p class="muted">redirected to ${renderLink(finalUrl)}</p>` : null}
<dl class="coverage">${coverage}</dl>
${diff === null ? null : html`<p class="muted">${diff}</p>`}
</div>
${thumbnails.length === 0 ? null : html`<div class="thumbs">${thumbnails}</div>`}
</header>`
}

/** Only http and https URLs become links. */
const renderLink = (url: string): Html =>
  /^https?:$/.test(URL.parse(url)?.protocol ?? '')
    ? html`<a href="${url}" rel="noreferrer noopener">${url}</a>`
    : html`<span>${url}</span>`

const RADIUS = 54
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

function renderScoreCircle(score: number | null): Html {
  const label = score === null ? 'No score' : `Score ${score} of 100`
  const circle = html`cx="64" cy="64" r="${RADIUS}"`
  const arc = (value: number): Html => {
    const dashes = `${((CIRCUMFERENCE * value) / 100).toFixed(1)} ${CIRCUMFERENCE.toFixed(1)}`
    return html`<circle class="${scoreClass(value)}" ${circle} stroke-dasharray="${dashes}"
 transform="rotate(-90 64 64)"/>`
  }
  return html`<div class="ring">
<svg viewBox="0 0 128 128" role="img" aria-label="${label}">
<circle ${circle}/>${score === null || score === 0 ? null : arc(score)}
</svg><span aria-hidden="true">${score ?? '–'}</span></div>`
}

const scoreClass = (score: number): string => (score >= 90 ? 'good' : score > 70 ? 'fair' : 'poor')

function renderCategories({ categories }: VisualCheck): Html | null {
  if (categories === null) return null
  const meter = (category: FindingCategory): Html => {
    const score = categories[category]
    return html`<li><span>${CATEGORY_LABELS[category]}</span><b>${score}</b>
<svg class="${scoreClass(score)}" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
<rect width="${Math.max(score, 3)}" height="5"/></svg></li>`
  }
  return html`<section aria-label="Categories">
<ul class="categories">${FINDING_CATEGORIES.map(meter)}</ul>
</section>`
}

function renderFindings({ findings, status }: VisualCheck, screenshots: Picture[]): Html | null {
  if (findings.length === 0) {
    return status === 'completed' ? html`<section><h2>Findings</h2><p>${NO_FINDINGS}</p></section>` : null
  }
  const tally = SEVERITIES.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length
  }))
    .filter(({ count }) => count > 0)
    .map(
      ({ severity, count }) =>
        html`<span class="${severity}">${count} ${SEVERITY_LABELS[severity].toLowerCase()}</span>`
    )
  const articles = findings.map((finding, index) =>
    renderFinding(finding, {
      number: index + 1,
      crops: screenshots.filter(({ finding }) => finding === index)
    })
  )
  return html`<section>
<div class="heading"><h2>${pluralize(findings.length, 'finding')}</h2><p class="tally">${tally}</p></div>
${articles}
</section>`
}

/** A finding beside its screenshots. `number` is the number of the finding in the screenshots. */
function renderFinding(finding: VisualFinding, { number, crops }: { number: number; crops: Picture[] }): Html {
  const { severity, category, message, advice } = finding
  const confidence = CONFIDENCE_LABELS[finding.confidence]
  const tags = [CATEGORY_LABELS[category], ...formatTags(finding)].map((tag) => html`<span>${tag}</span>`)
  const figures = renderCrops(crops, number)
  return html`<article class="${severity}">
<div class="details">
<p class="tags">
<b class="number" aria-label="Finding ${number}">${number}</b>
<span class="severity">${SEVERITY_LABELS[severity]}</span>
${tags}
${confidence === null ? null : html`<em>${confidence}</em>`}
</p>
<h3 dir="auto">${withCode(message)}</h3>
<p class="advice" dir="auto">${withCode(advice)}</p>
${renderQuotes(finding)}
${renderFacts(finding)}
</div>
${figures.length === 0 ? null : html`<div class="screenshots">${figures}</div>`}
</article>`
}

function renderQuotes({ expected, actual }: VisualFinding): Html | null {
  if (expected === undefined && actual === undefined) return null
  const quote = (label: string, text: string | undefined): Html | null =>
    text === undefined ? null : html`<div><dt>${label}</dt><dd dir="auto">${formatQuote(text)}</dd></div>`
  return html`<dl class="quotes">${quote('Expected', expected)}${quote('Actual', actual)}</dl>`
}

function renderFacts(finding: VisualFinding): Html {
  const places = formatPlaces(finding).map(
    ({ selector, detail }) =>
      html`<li>${selector === '' ? null : html`<code>${selector}</code> `}<span>${detail}</span></li>`
  )
  const measured = formatEvidence(finding).map(({ name, value }) => html`<li>${name} <b dir="auto">${value}</b></li>`)
  return html`<dl class="facts">
${places.length === 0 ? null : html`<div><dt>Where</dt><dd><ul>${places}</ul></dd></div>`}
${measured.length === 0 ? null : html`<div><dt>Measured</dt><dd><ul class="inline">${measured}</ul></dd></div>`}
<div><dt>Code</dt><dd><code>${finding.code}</code></dd></div>
</dl>`
}

/** Renders code in backticks, as in messages and advice, as `<code>` elements. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
