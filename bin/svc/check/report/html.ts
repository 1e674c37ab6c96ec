import { FINDING_CATEGORIES, SEVERITIES, VIEWPORT_NAMES, type VisualCheck } from '../../../../schemas/visual-check.ts'
import { findingArticle } from './html-finding.ts'
import { figure, picturesOf, type ReportPictures, type ShownPicture } from './html-pictures.ts'
import { asMarkup, html, nothing, type Markup } from './markup.ts'
import { STYLES } from './styles.ts'
import { CATEGORY_WORDS, counted, coverageWords, minute, SEVERITY_WORDS, sinceWords, verdict } from './words.ts'

/**
 * A check as one HTML file that needs nothing else: styles and pictures are in it, there is no
 * script, it is light or dark as its reader is, and can be printed.
 * Whatever comes from the checked page is shown as text. `pictures`: the WebP files by the names in
 * `check.screenshots`; those that are missing are left out.
 */
export function htmlReport(check: VisualCheck, pictures: ReportPictures): string {
  const shown = picturesOf(check, pictures)
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${check.overallScore === null ? 'No score' : `${check.overallScore} of 100`}: ${check.url}</title>
<style>${asMarkup(STYLES)}</style>
</head>
<body>
<main>
${header(check, shown)}
${categories(check)}
${findings(check, shown)}
${pages(shown)}
</main>
${footer(check)}
</body>
</html>`.markup
  }\n`
}

function header(check: VisualCheck, shown: ShownPicture[]): Markup {
  const since = sinceWords(check)
  const thumbs = shown.filter(({ kind }) => kind === 'thumb')
  const moved =
    check.finalUrl === null || check.finalUrl === check.url
      ? nothing
      : html`<p class="quiet">which led to ${link(check.finalUrl)}</p>`
  return html`<header>
${ring(check.overallScore)}
<div class="summary">
<p class="quiet">Visual check · ${check.environment} · ${minute(check.createdAt)}</p>
<h1>${verdict(check)}</h1>
<p class="address">${link(check.url)}</p>
${moved}
<dl class="coverage">${coverageWords(check).map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${since === null ? nothing : html`<p class="quiet">${since}</p>`}
</div>
${thumbs.length === 0 ? nothing : html`<div class="thumbs">${thumbs.map((picture) => figure(picture, { alt: `The page on ${deviceWords(picture)}`, caption: picture.viewport }))}</div>`}
</header>`
}

const deviceWords = ({ viewport }: ShownPicture): string => (viewport === 'mobile' ? 'a telephone' : 'a laptop')

/** Only a web address becomes a link. */
function link(address: string): Markup {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '')
    ? html`<a href="${address}" rel="noreferrer noopener">${address}</a>`
    : html`<span>${address}</span>`
}

const RADIUS = 54
const ROUND = 2 * Math.PI * RADIUS

function ring(score: number | null): Markup {
  const arc =
    score === null || score === 0
      ? nothing
      : html`<circle class="${tone(score)}" cx="64" cy="64" r="${RADIUS}" stroke-dasharray="${((ROUND * score) / 100).toFixed(1)} ${ROUND.toFixed(1)}" transform="rotate(-90 64 64)"/>`
  return html`<div class="ring"><svg viewBox="0 0 128 128" role="img" aria-label="${score === null ? 'No score' : `Score ${score} of 100`}"><circle cx="64" cy="64" r="${RADIUS}"/>${arc}</svg><span aria-hidden="true">${score ?? '–'}</span></div>`
}

const tone = (score: number): string => (score >= 90 ? 'good' : score > 70 ? 'fair' : 'poor')

function categories({ categories: scores }: VisualCheck): Markup {
  if (scores === null) return nothing
  const meter = (category: (typeof FINDING_CATEGORIES)[number]): Markup =>
    html`<li><span>${CATEGORY_WORDS[category]}</span><b>${scores[category]}</b><i class="${tone(scores[category])}" style="--share:${scores[category]}%"></i></li>`
  return html`<section aria-label="Categories"><ul class="categories">${FINDING_CATEGORIES.map(meter)}</ul></section>`
}

function findings(check: VisualCheck, shown: ShownPicture[]): Markup {
  if (check.findings.length === 0) {
    return check.status === 'completed'
      ? html`<section><h2>Findings</h2><p>Nothing was found that is not as it should be.</p></section>`
      : nothing
  }
  const tally = SEVERITIES.map((severity) => ({
    severity,
    count: check.findings.filter((finding) => finding.severity === severity).length
  })).filter(({ count }) => count > 0)
  const articles = check.findings.map((finding, place) =>
    findingArticle(finding, {
      place,
      crops: shown.filter((picture) => picture.kind === 'crop' && picture.finding === place)
    })
  )
  return html`<section><div class="heading"><h2>${counted(check.findings.length, 'finding')}</h2><p class="tally">${tally.map(({ severity, count }) => html`<span class="${severity}">${count} ${SEVERITY_WORDS[severity].toLowerCase()}</span>`)}</p></div>${articles}</section>`
}

/** The page of each viewport, or its first screen where there is no more. */
function pages(shown: ShownPicture[]): Markup {
  const whole = VIEWPORT_NAMES.flatMap((name) => {
    const own = shown.filter(({ viewport }) => viewport === name)
    return own.find(({ kind }) => kind === 'page') ?? own.find(({ kind }) => kind === 'viewport') ?? []
  })
  if (whole.length === 0) return nothing
  return html`<section class="pages"><h2>Pictures</h2><p class="quiet">The numbers are those of the findings.</p><div>${whole.map((picture) => figure(picture, { alt: `${picture.kind === 'page' ? 'The page' : 'The first screen'} on ${deviceWords(picture)}, with what was found`, caption: `${picture.viewport}, ${picture.kind === 'page' ? 'page' : 'first screen'}` }))}</div></section>`
}

function footer({ id, checker, timings }: VisualCheck): Markup {
  const fonts =
    checker === null || checker.fonts.missing.length === 0
      ? []
      : [`no font here for ${checker.fonts.missing.join(', ')}`]
  const parts = [
    `Check ${id}`,
    ...(checker === null ? [] : [`rules ${checker.version}`, `Chromium ${checker.chromium}`]),
    ...fonts,
    ...(timings === null ? [] : [`${(timings.totalMs / 1000).toFixed(1)} s`])
  ]
  return html`<footer>${parts.join(' · ')}</footer>`
}
