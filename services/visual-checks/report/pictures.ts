import { randomUUID } from 'node:crypto'
import { html, type Html } from '../../../lib/html.ts'
import { VIEWPORT_NAMES, type ViewportName, type VisualCheckScreenshot } from '../../../schemas/visual-check.ts'

/** The keys of WebP files, by the names in `check.screenshots`. */
export type ReportImages = ReadonlyMap<string, string>

/** A picture whose file exists. `src`: a data URL, with the place of its bytes instead of them. */
export type Picture = Omit<VisualCheckScreenshot, 'name' | 'url'> & { src: string }

type StoredScreenshot = Omit<VisualCheckScreenshot, 'url'>

/** Unknown outside of this process: a checked page cannot contain it. */
const NONCE = randomUUID()
/** Where the bytes of a picture belong. Captures its key. */
export const PICTURE_PLACE = new RegExp(`${NONCE}:([\\w./-]+):`)

/** The pictures of a check. Screenshots without an image are left out. */
export const toPictures = (screenshots: readonly StoredScreenshot[], images: ReportImages): Picture[] =>
  screenshots.flatMap(({ name, kind, viewport, finding, width, height }) => {
    const key = images.get(name)
    if (key === undefined) return []
    return [{ kind, viewport, finding, width, height, src: `data:image/webp;base64,${NONCE}:${key}:` }]
  })

export const renderFigure = (
  { src, kind, viewport, width, height }: Picture,
  { alt, caption }: { alt: string; caption: string }
): Html => html`<figure class="${kind} ${viewport}">
<img src="${src}" width="${width}" height="${height}" alt="${alt}"><figcaption>${caption}</figcaption>
</figure>`

/** A picture with its description, as one side of a comparison. */
interface Side {
  picture: Picture
  alt: string
  caption: string
}

/** Two pictures side by side. The script of the report adds a slider that uncovers the second one. */
export const renderComparison = (first: Side, second: Side): Html => html`<div class="comparison">
${[first, second].map(({ picture, alt, caption }) => renderFigure(picture, { alt, caption }))}
</div>`

/** The crops of a finding: beside what was expected there, if there is a picture of that. */
export function renderCrops(pictures: readonly Picture[], number: number): Html[] {
  return VIEWPORT_NAMES.flatMap((viewport) => {
    const crops = pictures.filter((picture) => picture.viewport === viewport)
    const actual = crops.find(({ kind }) => kind === 'crop')
    const expected = crops.find(({ kind }) => kind !== 'crop')
    const side = (picture: Picture, label: string): Side => ({
      picture,
      alt: `Screenshot of finding ${number}: ${label}`,
      caption: `${viewport}, ${label}`
    })
    if (actual === undefined) return []
    if (expected !== undefined) return [renderComparison(side(expected, 'expected'), side(actual, 'on the page'))]
    return [renderFigure(actual, { alt: `Screenshot of finding ${number}`, caption: viewport })]
  })
}

/** How much of the page a picture shows. */
const EXTENTS = { page: 'full page', viewport: 'first screen', thumb: 'first screen' } as const
type PageKind = keyof typeof EXTENTS

/** The most complete picture of the page in a viewport, of the given kinds. */
function findPage(pictures: readonly Picture[], viewport: ViewportName, kinds: readonly PageKind[]) {
  for (const kind of kinds) {
    const picture = pictures.find((one) => one.viewport === viewport && one.kind === kind)
    if (picture !== undefined) return { picture, extent: EXTENTS[kind], kind }
  }
  return null
}

/** The full page of each viewport, or its first screen if there is no full page. */
export function renderPages(pictures: readonly Picture[]): Html | null {
  const figures = VIEWPORT_NAMES.flatMap((viewport) => {
    const page = findPage(pictures, viewport, ['page', 'viewport'])
    if (page === null) return []
    return [
      renderFigure(page.picture, {
        alt: `The ${page.extent} at ${viewport} size, with numbered findings`,
        caption: `${viewport}, ${page.extent}`
      })
    ]
  })
  if (figures.length === 0) return null
  return html`<section class="pages"><h2>Screenshots</h2>
<p class="muted">The numbers refer to the findings.</p>
<div>${figures}</div>
</section>`
}

/** The page at the time of the previous check beside the page now, in each viewport. */
export function renderChanges(before: readonly Picture[], now: readonly Picture[]): Html | null {
  const comparisons = VIEWPORT_NAMES.flatMap((viewport) => {
    const [first, second] = [before, now].map((pictures) => findPage(pictures, viewport, ['page', 'viewport', 'thumb']))
    if (first === null || second === null || first === undefined || second === undefined) return []
    const side = (picture: Picture, label: string): Side => ({
      picture,
      alt: `The page at ${viewport} size, ${label}`,
      caption: `${viewport}, ${label}`
    })
    return [renderComparison(side(first.picture, 'previous check'), side(second.picture, 'this check'))]
  })
  if (comparisons.length === 0) return null
  return html`<section class="changes"><h2>Before and now</h2>
<div>${comparisons}</div>
</section>`
}

/**
 * Lays the pictures of each comparison on top of each other, with a slider between them. Without
 * scripts they stay side by side. Runs in the page: the Content Security Policy allows this text only.
 */
export const SLIDER_SCRIPT = `
for (const comparison of document.querySelectorAll('.comparison')) {
  const [first, second] = comparison.querySelectorAll('figcaption')
  const slider = document.createElement('input')
  Object.assign(slider, { type: 'range', min: 0, max: 100, value: 50 })
  slider.setAttribute('aria-label', 'From "' + first.textContent + '" to "' + second.textContent + '"')
  const move = () => comparison.style.setProperty('--position', slider.value + '%')
  slider.addEventListener('input', move)
  const toggle = document.createElement('button')
  toggle.type = 'button'
  const show = (overlaid) => {
    comparison.classList.toggle('overlaid', overlaid)
    slider.hidden = !overlaid
    toggle.textContent = overlaid ? 'Side by side' : 'Slider'
  }
  toggle.addEventListener('click', () => show(!comparison.classList.contains('overlaid')))
  const controls = document.createElement('div')
  controls.className = 'controls'
  controls.append(slider, toggle)
  comparison.append(controls)
  move()
  show(true)
}
`
