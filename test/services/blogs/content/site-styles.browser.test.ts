import t, { type Test } from 'tap'
import { COLOR_SCHEMES, type ArticleStyle } from '../../../../schemas/article-style.ts'
import { openBrowser } from '../../../browser.ts'
import { openArticlesPage, SYSTEMS, WIDTHS } from '../../../fixtures/site-styles/page.ts'
import { articleCss } from '../../../fixtures/site-styles/posts.ts'
import { SITES, type SiteStyle } from '../../../fixtures/site-styles/sites.ts'

const articles = await openArticlesPage(await openBrowser(t))

/** Checks all articles on a site, on a light and on a dark system, on a phone and on a desktop. */
async function checkSite(t: Test, { site, css, name }: { site: SiteStyle; css: string; name: string }): Promise<void> {
  for (const order of ['before', 'after'] as const) {
    await articles.apply(site, css, order)
    for (const system of SYSTEMS) {
      await articles.setSystem(system)
      for (const width of WIDTHS) {
        await articles.setWidth(width)
        t.same(await articles.findDefects(), [], `${name}: ${system}, ${width} px, CSS ${order} the site's`)
      }
    }
  }
}

const find = (name: string): SiteStyle => SITES.find((site) => site.name === name)!

t.test('articles look as intended on sites with any style sheet', { timeout: 240_000 }, async (t) => {
  t.ok(SITES.length >= 12)
  for (const site of SITES) await checkSite(t, { site, css: articleCss(), name: site.name })
})

t.test('articles are readable with every color scheme on a page that has it', { timeout: 240_000 }, async (t) => {
  const dark = { ...find('dark by a class') }
  const declared = { ...find('Tailwind 3'), name: 'Tailwind 3 with color-scheme' }
  declared.css += ':root{color-scheme:light dark}'
  const cases: [SiteStyle, Partial<ArticleStyle>][] = [
    ...COLOR_SCHEMES.map((colorScheme): [SiteStyle, Partial<ArticleStyle>] => [find('Foundation'), { colorScheme }]),
    [dark, { colorScheme: 'dark' }],
    [dark, { colorScheme: 'light' }],
    [find('none'), { colorScheme: 'auto' }],
    [declared, { colorScheme: 'auto', accentColor: '#8b1a1a' }],
    [find('Bootstrap 5, dark'), { colorScheme: 'auto' }],
    [find('github-markdown-css'), { colorScheme: 'auto' }],
    [find('Bootstrap 5'), { codeTheme: 'dark', accentColor: 'var(--bs-indigo)' }],
    [dark, { codeTheme: 'light', accentColor: '#ffb86b' }],
    [find('Water.css'), { codeTheme: 'dark', fontFamily: 'Georgia, serif', maxWidth: '40rem', borderRadius: '1rem' }]
  ]
  for (const [site, style] of cases) {
    await checkSite(t, { site, css: articleCss(style), name: `${site.name} ${JSON.stringify(style)}` })
  }
})

t.test("the article has the width of the site's column, or of its setting", async (t) => {
  await articles.setWidth(1280)
  const widths = async (css: string) => {
    await articles.apply(find('Bootstrap 5'), css)
    return await articles.page.evaluate(() => {
      const { left, right, width } = document.querySelector('.svc-blog')!.getBoundingClientRect()
      return { width, isCentered: Math.abs(left - (document.documentElement.clientWidth - right)) <= 1 }
    })
  }
  t.same(await widths(articleCss()), { width: 1280, isCentered: true })
  t.same(await widths(articleCss({ maxWidth: '640px' })), { width: 640, isCentered: true })
})

t.test('a class of the site and custom properties win over the theme', async (t) => {
  const site = find('none')
  const css = 'section :where(.x), section .svc-blog h2 { color: rgb(1, 2, 3) } body { --svc-h3-size: 40px }'
  await articles.apply({ ...site, css }, articleCss(), 'after')
  const [color, size] = await articles.page.evaluate(() => [
    getComputedStyle(document.querySelector('h2')!).color,
    getComputedStyle(document.querySelector('h3')!).fontSize
  ])
  t.same([color, size], ['rgb(1, 2, 3)', '40px'])
})

t.test('the check detects what resets do to a theme in a cascade layer', async (t) => {
  await articles.setWidth(390)
  await articles.setSystem('light')
  await articles.apply(find('Tailwind 3'), `@layer svc-blog{${articleCss()}}`)
  const defects = (await articles.findDefects()).join('\n')
  for (const role of [
    '<h2>.*the size is 16px',
    '<ul>.*no room',
    '<p>.*the gap',
    '<td>.*the borders',
    '<a>.*no visible'
  ]) {
    t.match(defects, new RegExp(role))
  }
  const css = 'body { --svc-background: transparent }'
  await articles.apply({ ...find('none'), css }, articleCss({ colorScheme: 'dark' }))
  t.match((await articles.findDefects()).join('\n'), /the contrast is/)
  await articles.apply(find('none'), articleCss().replaceAll('overflow:auto hidden', 'overflow:visible'))
  t.match((await articles.findDefects()).join('\n'), /does not scroll/)
})
