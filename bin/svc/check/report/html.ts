import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  FINDING_CATEGORIES,
  SEVERITIES,
  VIEWPORT_NAMES,
  type FindingCategory,
  type VisualCheck,
  type VisualCheckScreenshot,
  type VisualFinding
} from '../../../../schemas/visual-check.ts'
import { html, trustedHtml, type Html } from '../../../../lib/html.ts'
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

/** WebP files by the names in `check.screenshots`. */
export type ReportImages = ReadonlyMap<string, Uint8Array>

/** A screenshot whose bytes are available, as a data URL. */
type Screenshot = Pick<VisualCheckScreenshot, 'kind' | 'viewport' | 'finding' | 'width' | 'height'> & { src: string }

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')

/**
 * A visual check as one self-contained HTML file: styles and screenshots are embedded, and there is
 * no script. Content of the checked page is escaped. Screenshots without an image are left out.
 */
export function renderHtmlReport(check: VisualCheck, images: ReportImages): string {
  const screenshots = embedScreenshots(check, images)
  const styles = readFileSync(path.join(import.meta.dirname, 'report.css'), 'utf8')
  const title = check.overallScore === null ? 'No score' : `${check.overallScore} of 100`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<title>${title}: ${check.url}</title>
<style>${trustedHtml(styles)}</style>
</head>
<body>
<main>
${renderHeader(check, screenshots)}
${renderCategories(check)}
${renderFindings(check, screenshots)}
${renderPages(screenshots)}
</main>
<footer>${[`Check ${check.id}`, ...formatEnvironment(check)].join(' · ')}</footer>
</body>
</html>
`
  return page.markup
}

function embedScreenshots({ screenshots }: VisualCheck, images: ReportImages): Screenshot[] {
  return screenshots.flatMap(({ name, ...rest }) => {
    const bytes = images.get(name)
    if (bytes === undefined) return []
    return [{ ...rest, src: `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}` }]
  })
}

const renderFigure = (
  { src, kind, viewport, width, height }: Screenshot,
  { alt, caption }: { alt: string; caption: string }
): Html => html`<figure class="${kind} ${viewport}">
<img src="${src}" width="${width}" height="${height}" alt="${alt}"><figcaption>${caption}</figcaption>
</figure>`

function renderHeader(check: VisualCheck, screenshots: Screenshot[]): Html {
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
<i class="${scoreClass(score)}" style="--share:${score}%"></i></li>`
  }
  return html`<section aria-label="Categories">
<ul class="categories">${FINDING_CATEGORIES.map(meter)}</ul>
</section>`
}

function renderFindings({ findings, status }: VisualCheck, screenshots: Screenshot[]): Html | null {
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
      crops: screenshots.filter((screenshot) => screenshot.kind === 'crop' && screenshot.finding === index)
    })
  )
  return html`<section>
<div class="heading"><h2>${pluralize(findings.length, 'finding')}</h2><p class="tally">${tally}</p></div>
${articles}
</section>`
}

/** A finding beside its screenshots. `number` is the number of the finding in the screenshots. */
function renderFinding(finding: VisualFinding, { number, crops }: { number: number; crops: Screenshot[] }): Html {
  const { severity, category, message, advice } = finding
  const confidence = CONFIDENCE_LABELS[finding.confidence]
  const tags = [CATEGORY_LABELS[category], ...formatTags(finding)].map((tag) => html`<span>${tag}</span>`)
  const figures = crops.map((crop) =>
    renderFigure(crop, { alt: `Screenshot of finding ${number}`, caption: crop.viewport })
  )
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
  const measured = formatEvidence(finding.evidence).map(
    ({ name, value }) => html`<li>${name} <b dir="auto">${value}</b></li>`
  )
  return html`<dl class="facts">
${places.length === 0 ? null : html`<div><dt>Where</dt><dd><ul>${places}</ul></dd></div>`}
${measured.length === 0 ? null : html`<div><dt>Measured</dt><dd><ul class="inline">${measured}</ul></dd></div>`}
<div><dt>Code</dt><dd><code>${finding.code}</code></dd></div>
</dl>`
}

/** The full page of each viewport, or its first screen if there is no full page. */
function renderPages(screenshots: Screenshot[]): Html | null {
  const pages = VIEWPORT_NAMES.flatMap((name) => {
    const candidates = screenshots.filter(({ viewport }) => viewport === name)
    return candidates.find(({ kind }) => kind === 'page') ?? candidates.find(({ kind }) => kind === 'viewport') ?? []
  })
  if (pages.length === 0) return null
  const figures = pages.map((page) => {
    const extent = page.kind === 'page' ? 'full page' : 'first screen'
    return renderFigure(page, {
      alt: `The ${extent} at ${page.viewport} size, with numbered findings`,
      caption: `${page.viewport}, ${extent}`
    })
  })
  return html`<section class="pages"><h2>Screenshots</h2>
<p class="muted">The numbers refer to the findings.</p>
<div>${figures}</div>
</section>`
}

/** Renders code in backticks, as in messages and advice, as `<code>` elements. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
