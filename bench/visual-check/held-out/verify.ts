import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { VIEWPORT_NAMES, type ViewportName } from '../../../schemas/visual-check.ts'
import type { PageCase } from '../../../test/data/visual-pages/cases.ts'
import type { Locator } from './locate.ts'

interface Options {
  locator: Locator
  cases: ReadonlyMap<string, PageCase>
  /** Screenshots are saved here. */
  folder: string
}

/** Time for scripts and animations of the page. */
const SETTLE_MS = 1200
const SHELL_HEIGHT = 4500
/** Pages that never finish loading or that leave their URL have no comparable screenshot. */
const NOT_COMPARABLE = /^(?:endless-redirects|connection-closed|reloads-forever|request-never-ends|alert-on-load)$/

/**
 * Opens pages without the checker and saves screenshots. Returns what is wrong with the data: a visible
 * defect that changes no pixel, an invisible one that changes many, a target that is not there.
 */
export async function verifyCases(sample: readonly PageCase[], { locator, cases, folder }: Options): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const plainShots = new Map<string, Buffer>()
  const problems: string[] = []

  const shoot = async ({ id, url, defect }: PageCase, viewport: ViewportName): Promise<Buffer> =>
    await locator.visit(url, viewport, async (page) => {
      await page.waitForTimeout(SETTLE_MS)
      // Loads lazy pictures.
      for (let screen = 1; screen <= 12; screen++) {
        await page.evaluate((top) => {
          scrollTo({ top: top * innerHeight, behavior: 'instant' })
        }, screen)
        await page.waitForTimeout(60)
      }
      await page.evaluate(() => {
        scrollTo({ top: 0, behavior: 'instant' })
      })
      const target = defect?.target
      if (target !== undefined && (await page.locator(target).count()) === 0) problems.push(`${id}: no ${target}`)
      const hasOverflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1)
      if (defect === null && hasOverflow) problems.push(`${id}: scrolls sideways at the ${viewport} viewport size`)
      // A page that scrolls inside of an element is shown as a whole too.
      const isShell = await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)
      if (isShell) await page.setViewportSize({ width: page.viewportSize()!.width, height: SHELL_HEIGHT })
      return await page.screenshot({ fullPage: true })
    })

  for (const pageCase of sample) {
    const { id, plainId, defect } = pageCase
    if (defect !== null && NOT_COMPARABLE.test(defect.name)) continue
    let changed = 0
    for (const viewport of VIEWPORT_NAMES) {
      const shot = await shoot(pageCase, viewport)
      await writeFile(path.join(folder, `${id.replaceAll('/', ' ')} ${viewport}.png`), shot)
      if (plainId === id) continue
      const key = `${plainId} ${viewport}`
      const plainShot = plainShots.get(key) ?? (await shoot(cases.get(plainId)!, viewport))
      plainShots.set(key, plainShot)
      changed = Math.max(changed, await differingShare(shot, plainShot))
    }
    if (defect?.visible === true && changed < 0.0005) problems.push(`${id}: is not visible`)
    if (defect?.visible === false && changed > 0.05) problems.push(`${id}: is visible (${changed.toFixed(3)})`)
  }
  return problems
}

/** The share of pixels that differ, of the part that both screenshots have; 1 if their heights differ much. */
async function differingShare(first: Buffer, second: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [first, second].map(async (png) => await sharp(png).grayscale().raw().toBuffer({ resolveWithObject: true }))
  )
  const { width } = one!.info
  if (width !== other!.info.width || Math.abs(one!.info.height - other!.info.height) > 40) return 1
  const height = Math.min(one!.info.height, other!.info.height)
  let differing = 0
  for (let index = 0; index < width * height; index++) {
    if (Math.abs(one!.data[index]! - other!.data[index]!) > 24) differing++
  }
  return differing / (width * height)
}
