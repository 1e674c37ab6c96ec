import { randomBytes } from 'node:crypto'
import type { Sharp } from 'sharp'
import type { Screenshot } from '../../../ports/browser/port.ts'
import type { ScreenshotDetail, ScreenshotKind, ViewportName, VisualFinding } from '../../../schemas/visual-check.ts'
import { loadSharp, type SharpFactory } from '../../images/load-sharp.ts'
import { areaOf, type Area } from './area.ts'
import { cropArea } from './crop-area.ts'
import { overlaySvg, type Mark } from './overlay.ts'

/**
 * A picture as it is kept: WebP; width and height in its pixels. `finding`: of a crop, the place of
 * the finding among all, from 0.
 */
export interface DrawnPicture {
  name: string
  kind: ScreenshotKind
  viewport: ViewportName
  finding: number | null
  bytes: Buffer
  width: number
  height: number
}

interface Wanted {
  pictures: Screenshot[]
  findings: VisualFinding[]
  detail: ScreenshotDetail
}

const THUMB_WIDTH = 320
/** Of a thumbnail: height by width. A telephone's screen has 2.2. */
const TALLEST_THUMB = 2.2
const MOST_CROPS = 40
const MOST_CROP_WIDTH = 800
/** Boxes in one picture; more would hide what they are about. */
const MOST_MARKS = 200
/** Three times the largest that a browser is asked for: 1,366 × 8,000. */
const MOST_PIXELS = 33_000_000
const TIMEOUT_SECONDS = 60

/**
 * Draws what is kept of the pictures that were taken. `thumbs`: a thumbnail, 320 pixels wide, for
 * each viewport. `full`: besides it each picture with numbered boxes round what was
 * found (the number is the place of the finding, from 1), and a crop for each of the first 40
 * findings that lie in a picture. `none`: nothing.
 * One picture is unpacked at a time. Throws what the decoder throws where a picture is none.
 */
export async function* drawPictures({ pictures, findings, detail }: Wanted): AsyncGenerator<DrawnPicture> {
  if (detail === 'none' || pictures.length === 0) return
  const sharp = await loadSharp()
  const crops = detail === 'full' ? plannedCrops(await measured(pictures, sharp), findings) : []
  for (const picture of pictures) {
    const isThumb = picture === thumbSource(pictures, picture.viewport)
    if (detail === 'thumbs' && !isThumb) continue
    const sheet = await unpack(picture, sharp)
    if (isThumb) yield await thumb(sheet)
    if (detail === 'full') yield await marked(sheet, findings)
    for (const crop of crops) if (crop.png === picture.png) yield await cropped(sheet, crop)
  }
}

/** An unpacked picture; `open` begins a new piece of work on it. */
interface Sheet {
  picture: Screenshot
  width: number
  height: number
  scale: number
  open: () => Sharp
}

async function unpack(picture: Screenshot, sharp: SharpFactory): Promise<Sheet> {
  const { data, info } = await sharp(picture.png, { limitInputPixels: MOST_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return {
    picture,
    width,
    height,
    scale: picture.scale,
    open: () =>
      sharp(data, { raw: { width, height, channels }, limitInputPixels: MOST_PIXELS }).timeout({
        seconds: TIMEOUT_SECONDS
      })
  }
}

/** The picture of the viewport, else that of the page. */
const thumbSource = (pictures: Screenshot[], viewport: ViewportName): Screenshot | undefined => {
  const own = pictures.filter((picture) => picture.viewport === viewport)
  return own.find(({ kind }) => kind === 'viewport') ?? own[0]
}

async function thumb(sheet: Sheet): Promise<DrawnPicture> {
  const height = Math.min(sheet.height, Math.round(sheet.width * TALLEST_THUMB))
  return await written(
    sheet.open().extract({ left: 0, top: 0, width: sheet.width, height }).resize({ width: THUMB_WIDTH }),
    { kind: 'thumb', viewport: sheet.picture.viewport, finding: null }
  )
}

async function marked(sheet: Sheet, findings: VisualFinding[]): Promise<DrawnPicture> {
  const { kind, viewport } = sheet.picture
  const marks = marksOf(findings, sheet)
  const work = marks.length === 0 ? sheet.open() : sheet.open().composite([{ input: overlaySvg(marks, sheet) }])
  return await written(work, { kind, viewport, finding: null })
}

function marksOf(findings: VisualFinding[], sheet: Sheet): Mark[] {
  const marks = findings.flatMap(({ severity, locations }, place) =>
    locations.flatMap(({ viewport, box }): Mark[] => {
      const area = viewport === sheet.picture.viewport && box !== null ? areaOf(box, sheet) : null
      return area === null ? [] : [{ number: place + 1, severity, area }]
    })
  )
  return marks.slice(0, MOST_MARKS)
}

/** What the pictures' own heads say of their sizes. */
async function measured(pictures: Screenshot[], sharp: SharpFactory): Promise<Screenshot[]> {
  return await Promise.all(
    pictures.map(async (picture) => {
      const { width, height } = await sharp(picture.png, { limitInputPixels: MOST_PIXELS }).metadata()
      return { ...picture, width, height }
    })
  )
}

interface Crop {
  png: Buffer
  finding: number
  mark: Mark
}

/**
 * The crop of each finding: of its first place that a picture shows; pages first, for they show
 * more.
 */
function plannedCrops(pictures: Screenshot[], findings: VisualFinding[]): Crop[] {
  const pagesFirst = [...pictures].sort((a, b) => Number(b.kind === 'page') - Number(a.kind === 'page'))
  const cropOf = ({ severity, locations }: VisualFinding, finding: number): Crop[] => {
    for (const { viewport, box } of locations) {
      for (const picture of pagesFirst) {
        const area = picture.viewport === viewport && box !== null ? areaOf(box, picture) : null
        if (area !== null) return [{ png: picture.png, finding, mark: { number: null, severity, area } }]
      }
    }
    return []
  }
  return findings.flatMap(cropOf).slice(0, MOST_CROPS)
}

async function cropped(sheet: Sheet, { finding, mark }: Crop): Promise<DrawnPicture> {
  const region = cropArea(mark.area, sheet)
  const outline = overlaySvg([{ ...mark, area: shifted(mark.area, region) }], {
    width: region.width,
    height: region.height,
    scale: sheet.scale
  })
  // Two steps, since the library scales before it lays pictures on each other.
  const { data, info } = await sheet
    .open()
    .extract(region)
    .composite([{ input: outline }])
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sharp = await loadSharp()
  const work = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).resize({
    width: MOST_CROP_WIDTH,
    withoutEnlargement: true
  })
  return await written(work, { kind: 'crop', viewport: sheet.picture.viewport, finding })
}

const shifted = (area: Area, region: Area): Area => ({
  ...area,
  left: area.left - region.left,
  top: area.top - region.top
})

/**
 * Sharp letters and lines at the price of some bytes: color is not halved as it is for
 * photographs. Effort 4, the default, takes half as long again for 10 % fewer bytes.
 */
async function written(work: Sharp, of: Pick<DrawnPicture, 'kind' | 'viewport' | 'finding'>): Promise<DrawnPicture> {
  const { data, info } = await work
    .removeAlpha()
    .webp({ quality: 82, smartSubsample: true, effort: 2 })
    .toBuffer({ resolveWithObject: true })
  return {
    name: `${randomBytes(16).toString('base64url')}.webp`,
    ...of,
    bytes: data,
    width: info.width,
    height: info.height
  }
}
