import { chromium as playwright, type Browser, type Page } from 'playwright'
import type { FindingLocation, ViewportName } from '../../../schemas/visual-check.ts'

const SIZES: Record<ViewportName, { width: number; height: number }> = {
  mobile: { width: 390, height: 844 },
  desktop: { width: 1366, height: 900 }
}

export interface Locator {
  /** Whether one of the locations is on an element that matches. Throws if the page has no such element. */
  isOn: (url: string, target: string, locations: readonly FindingLocation[]) => Promise<boolean>
  /** Opens a page at a viewport size and returns what the function returns. */
  visit: <T>(url: string, viewport: ViewportName, look: (page: Page) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** Opens pages in a browser of its own, which is started for the first of them. */
export function createLocator(executablePath: string): Locator {
  let browser: Promise<Browser> | null = null

  const visit: Locator['visit'] = async (url, viewport, look) => {
    browser ??= playwright.launch({ executablePath, args: ['--no-sandbox'], headless: true })
    const isMobile = viewport === 'mobile'
    const context = await (await browser).newContext({ viewport: SIZES[viewport], isMobile, hasTouch: isMobile })
    try {
      const page = await context.newPage()
      await page.goto(url, { waitUntil: 'load', timeout: 15_000 })
      return await look(page)
    } finally {
      await context.close()
    }
  }

  return {
    visit,
    async isOn(url, target, locations) {
      for (const viewport of ['mobile', 'desktop'] as const) {
        const here = locations.filter((location) => location.viewport === viewport)
        if (here.length === 0) continue
        const found = await visit(
          url,
          viewport,
          async (page) => await page.evaluate(compare, { target, locations: here })
        )
        if (found === null) throw new Error(`${url} has no ${target} at the ${viewport} viewport size`)
        if (found) return true
      }
      return false
    },
    close: async () => {
      if (browser !== null) await (await browser).close()
    }
  }
}

/**
 * Runs in the page. A location is on a damaged element if it is the element or inside of it, or if
 * its box covers half of the smaller of both and is at most four times as large as all damaged elements.
 * Null: nothing is damaged.
 */
function compare({ target, locations }: { target: string; locations: FindingLocation[] }): boolean | null {
  const MAX_RATIO = 4
  const damaged = [...document.querySelectorAll(target)]
  if (damaged.length === 0) return null
  const boxes = damaged.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
  })
  const total = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  return locations.some(({ selector, box }) => {
    const element = document.querySelector(selector)
    if (element !== null && damaged.some((other) => other.contains(element))) return true
    if (box === null || box.width * box.height > MAX_RATIO * total) return false
    return boxes.some((other) => {
      const width = Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x)
      const height = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y)
      const smaller = Math.min(box.width * box.height, other.width * other.height)
      return width > 0 && height > 0 && width * height >= smaller / 2
    })
  })
}
