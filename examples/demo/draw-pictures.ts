import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { BICYCLE_PRODUCTS } from './drawing/bicycle-products.ts'
import { COFFEE_PRODUCTS } from './drawing/coffee-products.ts'
import { bagOfBeans, coldBrew, cupOnTable, dallah, officeBrewer, pourOver, roaster } from './drawing/coffee-pictures.ts'
import { coffeeBranch, harborDawn, terracedHills } from './drawing/harbor-pictures.ts'
import { hairpins, nightRide, passLunch, rainBridge, ridgeMorning } from './drawing/ride-pictures.ts'
import { chainAndCogs, chainCare, stemBolts, threeTires, workshopWall } from './drawing/workshop-pictures.ts'
import type { Picture } from './drawing/svg.ts'

/** Drawings by the path of their WebP file. */
function inFolder(folder: string, drawings: Record<string, () => Picture>): Record<string, () => Picture> {
  return Object.fromEntries(Object.entries(drawings).map(([name, make]) => [`${folder}/${name}.webp`, make]))
}

/** All drawings of the demo by their path in this folder. The file extension selects the format. */
export const PICTURES: Record<string, () => Picture> = {
  'harbor-coffee/images/harbor-dawn.webp': harborDawn,
  'harbor-coffee/images/terraced-hills.webp': terracedHills,
  'harbor-coffee/images/coffee-branch.webp': coffeeBranch,
  'harbor-coffee/images/pour-over.webp': pourOver,
  'harbor-coffee/images/cold-brew.webp': coldBrew,
  'harbor-coffee/images/roaster.webp': roaster,
  'harbor-coffee/images/cup-from-above.webp': cupOnTable,
  'harbor-coffee/images/office-brewer.webp': officeBrewer,
  'harbor-coffee/images/dallah.webp': dallah,
  'harbor-coffee/images/bag-of-beans.png': bagOfBeans,
  'lanternhill-cycles/images/workshop-wall.webp': workshopWall,
  'lanternhill-cycles/images/three-tires.webp': threeTires,
  'lanternhill-cycles/images/chain-and-cogs.webp': chainAndCogs,
  'lanternhill-cycles/images/chain-care.webp': chainCare,
  'lanternhill-cycles/images/stem-bolts.webp': stemBolts,
  'lanternhill-cycles/images/ridge-morning.webp': ridgeMorning,
  'lanternhill-cycles/images/hairpins.webp': hairpins,
  'lanternhill-cycles/images/rain-bridge.webp': rainBridge,
  'lanternhill-cycles/images/pass-lunch.webp': passLunch,
  'lanternhill-cycles/images/night-ride.webp': nightRide,
  ...inFolder('harbor-coffee/products', COFFEE_PRODUCTS),
  ...inFolder('lanternhill-cycles/products', BICYCLE_PRODUCTS)
}

/** Renders a drawing as PNG with a palette and transparency, or as lossy WebP. Both are small. */
export async function draw(file: string, { svg }: Picture): Promise<Buffer> {
  const image = sharp(Buffer.from(svg))
  return file.endsWith('.png')
    ? await image.png({ palette: true, colors: 96, dither: 0.4, compressionLevel: 9, effort: 10 }).toBuffer()
    : await image.webp({ quality: 66, effort: 6, smartSubsample: true }).toBuffer()
}

/** Writes the drawings whose path contains `filter`. */
async function drawAll(filter: string): Promise<void> {
  for (const [file, make] of Object.entries(PICTURES).filter(([name]) => name.includes(filter))) {
    const target = path.join(import.meta.dirname, file)
    await mkdir(path.dirname(target), { recursive: true })
    const bytes = await draw(file, make())
    await writeFile(target, bytes)
    console.log(`${String(bytes.length).padStart(6)}  ${file}`)
  }
}

if (import.meta.main) await drawAll(process.argv[2] ?? '')
