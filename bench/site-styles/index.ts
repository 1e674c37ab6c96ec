import { parseArgs } from 'node:util'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright'
import sharp, { type OverlayOptions } from 'sharp'
import { escapeMarkup } from '../../lib/html.ts'
import { openArticlesPage } from '../../test/fixtures/site-styles/page.ts'
import { articleCss } from '../../test/fixtures/site-styles/posts.ts'
import { SITES } from '../../test/fixtures/site-styles/sites.ts'

/*
 * A contact sheet of articles on sites with different style sheets: one row per site, one column per
 * post, on a light and on a dark system. For people to look at; the test is
 * test/services/blogs/content/site-styles.browser.test.ts.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'site-styles.png' },
    width: { type: 'string', default: '390' },
    height: { type: 'string', default: '620' },
    scale: { type: 'string', default: '0.6' },
    posts: { type: 'string', default: 'arabic,code,tables,questions,lists,images' },
    systems: { type: 'string', default: 'light,dark' },
    sites: { type: 'string', default: '' },
    style: { type: 'string', default: '{}' }
  }
})
const posts = values.posts.split(',')
const systems = values.systems.split(',') as ('light' | 'dark')[]
const [width, height, scale] = [Number(values.width), Number(values.height), Number(values.scale)]
const cell = { width: Math.round(width * scale), height: Math.round(height * scale) }
const [gap, head] = [8, 22]

const label = (text: string, x: number, y: number): OverlayOptions => ({
  input: Buffer.from(
    `<svg width="600" height="${head}" xmlns="http://www.w3.org/2000/svg">` +
      `<text x="2" y="16" font-family="sans-serif" font-size="14" fill="#333">${escapeMarkup(text)}</text></svg>`
  ),
  left: x,
  top: y
})

const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox'],
  headless: true
})
const overlays: OverlayOptions[] = []
const sites = SITES.filter(({ name }) => values.sites === '' || values.sites.split(';').includes(name))
try {
  const { page, apply, setSystem, setWidth } = await openArticlesPage(browser)
  await setWidth(width)
  const css = articleCss(JSON.parse(values.style) as object)
  for (const [row, site] of sites.entries()) {
    const top = row * (cell.height + head + gap)
    await apply(site, css)
    for (const [half, system] of systems.entries()) {
      const left = half * posts.length * (cell.width + gap)
      overlays.push(label(`${site.name}, ${system} system`, left, top))
      await setSystem(system)
      for (const [column, name] of posts.entries()) {
        // Only the section of one post, as a page of its own.
        await page.evaluate((wanted) => {
          for (const section of document.querySelectorAll<HTMLElement>('main > section')) {
            section.hidden = section.querySelector<HTMLElement>('.svc-blog')!.dataset.name !== wanted
            section.style.setProperty('display', section.hidden ? 'none' : '')
          }
          scrollTo(0, 0)
        }, name)
        const png = await page.screenshot({ clip: { x: 0, y: 0, width, height } })
        const input = await sharp(png).resize(cell.width, cell.height).png().toBuffer()
        overlays.push({ input, left: left + column * (cell.width + gap), top: top + head })
      }
    }
  }
} finally {
  await browser.close()
}
await sharp({
  create: {
    width: systems.length * posts.length * (cell.width + gap),
    height: sites.length * (cell.height + head + gap),
    channels: 3,
    background: '#ccc'
  }
})
  .composite(overlays)
  .png({ palette: true })
  .toFile(values.out)
process.stdout.write(`${values.out}\n`)
