import { randomBytes } from 'node:crypto'
import type { Sharp } from 'sharp'
import type { Screenshot } from '../../../ports/browser/port.ts'
import type { ScreenshotDetail, ScreenshotKind, ViewportName, VisualFinding } from '../../../schemas/visual-check.ts'
import { loadSharp, type SharpFactory } from '../../images/sharp.ts'
import { toArea, toCropArea, type Area } from './geometry.ts'
import { renderOverlay, type Mark } from './overlay.ts'

/** A stored screenshot (WebP). `finding`: of a crop, the index of the finding. */
export interface RenderedScreenshot {
  name: string
  kind: ScreenshotKind
  viewport: ViewportName
  finding: number | null
  bytes: Buffer
  width: number
  height: number
}

/** The folder of a check's screenshots in the file store. */
export const getFolder = (checkId: string): string => `visual-checks/${checkId}`
export const getFileKey = (checkId: string, name: string): string => `${getFolder(checkId)}/${name}`

/** `screenshots`: as the browser took them. */
export interface ScreenshotInput {
  screenshots: Screenshot[]
  findings: VisualFinding[]
  detail: ScreenshotDetail
}

const THUMBNAIL_WIDTH = 320
/** Height by width. Phone screens have 2.2. */
const MAX_THUMBNAIL_RATIO = 2.2
const MAX_CROPS = 40
const MAX_CROP_WIDTH = 800
/** Around the text in a reference. */
const REFERENCE_MARGIN_PX = 4
/** More outlines in one screenshot would hide the page. */
const MAX_MARKS = 200
/** Three times the largest screenshot: 1,366 × 8,000. */
const MAX_INPUT_PIXELS = 33_000_000
const TIMEOUT_SECONDS = 60

/**
 * Renders the screenshots to store. `thumbs`: a thumbnail, 320 pixels wide, for each viewport.
 * `full`: also each screenshot with numbered outlines (the number is the position of the finding,
 * from 1), a crop for each of the first 40 findings with a visible place, and the references of text
 * that looks different. `none`: nothing.
 * With `full`, decodes one screenshot at a time. Throws the decoder's error for an invalid image.
 */
export async function* renderScreenshots({
  screenshots,
  findings,
  detail
}: ScreenshotInput): AsyncGenerator<RenderedScreenshot> {
  if (detail === 'none' || screenshots.length === 0) return
  const sharp = await loadSharp()
  const pages = screenshots.filter(({ kind }) => kind !== 'reference')
  // Together: on several cores, the check waits for the larger one only.
  const thumbnails = await Promise.all(
    pages
      .filter((screenshot) => screenshot === getThumbnailSource(pages, screenshot.viewport))
      .map(async (screenshot) => await renderThumbnail(screenshot, sharp))
  )
  yield* thumbnails
  if (detail === 'thumbs') return
  const references = screenshots.filter(({ kind }) => kind === 'reference')
  const crops = planCrops(await readSizes(pages, sharp), { findings, references })
  for (const screenshot of pages) {
    const image = await decode(screenshot, sharp)
    yield await renderMarked(image, findings)
    for (const crop of crops) {
      if (crop.png !== screenshot.png) continue
      yield await renderCrop(image, crop, sharp)
      if (crop.reference !== null) yield await renderReference(image, { ...crop, reference: crop.reference }, sharp)
    }
  }
}

/** How the text of a finding should look, in the size of its crop and at the same place. */
async function renderReference(
  image: DecodedImage,
  { finding, mark, reference }: Crop & { reference: Screenshot },
  sharp: SharpFactory
): Promise<RenderedScreenshot> {
  const region = toCropArea(mark.area, image)
  const { left, top } = moveInto(mark.area, region)
  // The drawing has a margin of its own around the block.
  const margin = { left: Math.min(left, REFERENCE_MARGIN_PX), top: Math.min(top, REFERENCE_MARGIN_PX) }
  const size = { width: region.width - left + margin.left, height: region.height - top + margin.top }
  const cut = {
    left: REFERENCE_MARGIN_PX - margin.left,
    top: REFERENCE_MARGIN_PX - margin.top,
    width: Math.max(1, Math.min(reference.width - REFERENCE_MARGIN_PX + margin.left, size.width)),
    height: Math.max(1, Math.min(reference.height - REFERENCE_MARGIN_PX + margin.top, size.height))
  }
  const drawing = await sharp(reference.png, { limitInputPixels: MAX_INPUT_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .extract(cut)
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
  const { width, height } = region
  const paper = sharp({ create: { width, height, channels: 3, background: '#fff' } })
  const { data, info } = await paper
    .composite([{ input: drawing, left: left - margin.left, top: top - margin.top }])
    .raw()
    .toBuffer({ resolveWithObject: true })
  const work = sharp(data, { raw: { width, height, channels: info.channels } }).resize({
    width: MAX_CROP_WIDTH,
    withoutEnlargement: true
  })
  return await encode(work, { kind: 'reference', viewport: image.screenshot.viewport, finding })
}

/** A decoded screenshot. `open` starts a new operation on its pixels. */
interface DecodedImage {
  screenshot: Screenshot
  width: number
  height: number
  scale: number
  open: () => Sharp
}

async function decode(screenshot: Screenshot, sharp: SharpFactory): Promise<DecodedImage> {
  const { data, info } = await sharp(screenshot.png, { limitInputPixels: MAX_INPUT_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const input = { raw: { width, height, channels }, limitInputPixels: MAX_INPUT_PIXELS }
  return {
    screenshot,
    width,
    height,
    scale: screenshot.scale,
    open: () => sharp(data, input).timeout({ seconds: TIMEOUT_SECONDS })
  }
}

/** The screenshot of the viewport, or else that of the page. */
const getThumbnailSource = (screenshots: Screenshot[], viewport: ViewportName): Screenshot | undefined => {
  const own = screenshots.filter((screenshot) => screenshot.viewport === viewport)
  return own.find(({ kind }) => kind === 'viewport') ?? own[0]
}

async function renderThumbnail({ png, viewport }: Screenshot, sharp: SharpFactory): Promise<RenderedScreenshot> {
  const image = sharp(png, { limitInputPixels: MAX_INPUT_PIXELS }).timeout({ seconds: TIMEOUT_SECONDS })
  const { width, height } = await image.metadata()
  const shown = { left: 0, top: 0, width, height: Math.min(height, Math.round(width * MAX_THUMBNAIL_RATIO)) }
  return await encode(
    image.flatten({ background: '#fff' }).toColourspace('srgb').extract(shown).resize({ width: THUMBNAIL_WIDTH }),
    { kind: 'thumb', viewport, finding: null }
  )
}

async function renderMarked(image: DecodedImage, findings: VisualFinding[]): Promise<RenderedScreenshot> {
  const { kind, viewport } = image.screenshot
  const marks = getMarks(findings, image)
  const work = marks.length === 0 ? image.open() : image.open().composite([{ input: renderOverlay(marks, image) }])
  return await encode(work, { kind, viewport, finding: null })
}

function getMarks(findings: VisualFinding[], image: DecodedImage): Mark[] {
  const marks = findings.flatMap(({ severity, locations }, at) =>
    locations.flatMap(({ viewport, box }): Mark[] => {
      const area = viewport === image.screenshot.viewport && box !== null ? toArea(box, image) : null
      return area === null ? [] : [{ number: at + 1, severity, area }]
    })
  )
  return marks.slice(0, MAX_MARKS)
}

/** Replaces the sizes with those in the image headers. */
async function readSizes(screenshots: Screenshot[], sharp: SharpFactory): Promise<Screenshot[]> {
  return await Promise.all(
    screenshots.map(async (screenshot) => {
      const { width, height } = await sharp(screenshot.png, { limitInputPixels: MAX_INPUT_PIXELS }).metadata()
      return { ...screenshot, width, height }
    })
  )
}

interface Crop {
  png: Buffer
  finding: number
  mark: Mark
  /** How the text of the crop should look. */
  reference: Screenshot | null
}

/**
 * Plans a crop for each finding: its first place in a screenshot. Page screenshots show more. Of text that
 * looks different, the first place with a reference.
 */
function planCrops(
  screenshots: Screenshot[],
  { findings, references }: { findings: VisualFinding[]; references: Screenshot[] }
): Crop[] {
  const pagesFirst = [...screenshots].sort((a, b) => Number(b.kind === 'page') - Number(a.kind === 'page'))
  const planCrop = ({ code, severity, locations }: VisualFinding, finding: number): Crop[] => {
    const places = locations.map((location) => ({
      ...location,
      reference:
        (code === 'LOOKS_DIFFERENT' &&
          references.find(({ viewport, block }) => viewport === location.viewport && block === location.block)) ||
        null
    }))
    const withReferenceFirst = places.sort((a, b) => Number(b.reference !== null) - Number(a.reference !== null))
    for (const { viewport, box, reference } of withReferenceFirst) {
      for (const screenshot of pagesFirst) {
        const area = screenshot.viewport === viewport && box !== null ? toArea(box, screenshot) : null
        if (area === null) continue
        return [{ png: screenshot.png, finding, mark: { number: null, severity, area }, reference }]
      }
    }
    return []
  }
  return findings.flatMap(planCrop).slice(0, MAX_CROPS)
}

async function renderCrop(
  image: DecodedImage,
  { finding, mark }: Crop,
  sharp: SharpFactory
): Promise<RenderedScreenshot> {
  const region = toCropArea(mark.area, image)
  const { width, height } = region
  const overlay = renderOverlay([{ ...mark, area: moveInto(mark.area, region) }], { width, height, scale: image.scale })
  // Two steps: sharp scales before it composites.
  const { data, info } = await image
    .open()
    .extract(region)
    .composite([{ input: overlay }])
    .raw()
    .toBuffer({ resolveWithObject: true })
  const work = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).resize({
    width: MAX_CROP_WIDTH,
    withoutEnlargement: true
  })
  return await encode(work, { kind: 'crop', viewport: image.screenshot.viewport, finding })
}

const moveInto = (area: Area, region: Area): Area => ({
  ...area,
  left: area.left - region.left,
  top: area.top - region.top
})

/**
 * `smartSubsample` keeps letters and lines sharp at the cost of some bytes. Effort 4, the default,
 * takes 50 % longer for 10 % fewer bytes.
 */
async function encode(
  work: Sharp,
  properties: Pick<RenderedScreenshot, 'kind' | 'viewport' | 'finding'>
): Promise<RenderedScreenshot> {
  const { data, info } = await work
    .removeAlpha()
    .webp({ quality: 82, smartSubsample: true, effort: 2 })
    .toBuffer({ resolveWithObject: true })
  return {
    name: `${randomBytes(16).toString('base64url')}.webp`,
    ...properties,
    bytes: data,
    width: info.width,
    height: info.height
  }
}
