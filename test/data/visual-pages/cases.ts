import type { ExpectedPage } from '../../../services/visual-checks/rules/rule.ts'
import { getExpectedPage } from '../../../services/visual-checks/expected-page.ts'
import { createChoices } from '../seed.ts'
import { DEFECTS, FIFTH_DEFECTS, FOURTH_DEFECTS, SEVENTH_DEFECTS, THIRD_DEFECTS } from './defects/index.ts'
import {
  FIFTH_HARMLESS_CHANGES,
  FOURTH_HARMLESS_CHANGES,
  HARMLESS_CHANGES,
  SEVENTH_HARMLESS_CHANGES,
  SIXTH_HARMLESS_CHANGES,
  THIRD_HARMLESS_CHANGES
} from './harmless/index.ts'
import { createPage, renderPage } from './page.ts'
import { POSTS, SEVENTH_POSTS, SIXTH_POSTS } from './posts/index.ts'
import { publishPosts } from './publish.ts'
import { startSiteServer, type ServedPage } from './site-server.ts'
import {
  FIFTH_STYLES,
  FOURTH_STYLES,
  SEVENTH_LATER_STYLES,
  SEVENTH_STYLES,
  SIXTH_LATER_STYLES,
  SIXTH_STYLES,
  STYLES
} from './styles/index.ts'
import type { CaseSet, Defect, Half, HarmlessChange, Post, PostSource, SiteStyle } from './types.ts'

/** A page of a site with a post, and at most one change. */
export interface PageCase {
  /** Style, post and change: `docs-sidebar/dripping-tap/blurred`. Without a change, `plain`. */
  id: string
  half: Half
  /** Which set's change it is. A plain page is in the set of its style. */
  set: CaseSet
  kind: 'plain' | 'defect' | 'harmless'
  style: SiteStyle
  post: Post
  defect: Defect | null
  harmless: HarmlessChange | null
  /** The id of the same page without the change. */
  plainId: string
  url: string
  expected: ExpectedPage
}

export interface VisualPages {
  cases: ReadonlyMap<string, PageCase>
  /** The response to a request of the page. Throws if a change does not find what it changes. */
  render: (pageCase: PageCase) => ServedPage
  close: () => Promise<void>
}

/** Pages for each defect and each harmless change. */
const PAGES_OF_A_CHANGE = 2
/** One seed for the pairs of styles and changes, so that ids are the same in every run. */
const PAIRING_SEED = 20_261_122

/** Publishes the posts, and serves all pages of both halves until it is closed. */
export async function openVisualPages(): Promise<VisualPages> {
  const site = await startSiteServer()
  const publisher = await publishPosts(site.origin)
  const cases = new Map<string, PageCase>()
  const byPath = new Map<string, PageCase>()
  for (const draft of listCases(publisher.posts)) {
    // A neutral path: what is wrong with a page is not in its URL.
    const path = `/journal/${byPath.size + 1}/${draft.post.blog.slug}`
    const url = site.origin + path
    const expected = getExpectedPage(draft.post.blog, { url, environment: 'live' })
    const pageCase: PageCase = { ...draft, url, expected }
    cases.set(pageCase.id, pageCase)
    byPath.set(path, pageCase)
  }
  const render = (pageCase: PageCase): ServedPage => renderCase(pageCase, site.origin, publisher.posts)
  site.setPages((path) => {
    const pageCase = byPath.get(path)
    return pageCase === undefined ? null : render(pageCase)
  })
  return {
    cases,
    render,
    close: async () => {
      await site.close()
      await publisher.close()
    }
  }
}

type Draft = Omit<PageCase, 'url' | 'expected'>

/** Posts for each style of the sixth set and of the seventh one, if so many fit. */
const POSTS_OF_A_STYLE = 4

function listCases(allPosts: readonly Post[]): Draft[] {
  const posts = allPosts.filter(({ source }) => POSTS.includes(source))
  const fits = (style: SiteStyle, post: Post): boolean =>
    style.half === post.source.half && fitsLocale(style.locales, post.source.locale)
  const listPlain = (set: CaseSet, styles: readonly SiteStyle[]): Draft[] =>
    styles.flatMap((style) =>
      posts
        .filter((post) => fits(style, post))
        .map((post) => toDraft(style, post, { set, defect: null, harmless: null }))
    )
  const plain = listPlain('first', STYLES)
  // Changes of a later set fit the styles of all sets before too. The pages of the other sets stay as they were.
  const fourthPlain = listPlain('fourth', FOURTH_STYLES)
  const fifthPlain = listPlain('fifth', FIFTH_STYLES)
  // Each style with the next posts, so that all kinds of posts are on pages of many styles.
  const listInTurn = (set: CaseSet, styles: readonly SiteStyle[], sources: readonly PostSource[]): Draft[] =>
    styles.flatMap((style, index) => {
      const fitting = allPosts.filter((post) => sources.includes(post.source) && fits(style, post))
      return Array.from({ length: Math.min(POSTS_OF_A_STYLE, fitting.length) }, (_, step) =>
        toDraft(style, fitting[(index * POSTS_OF_A_STYLE + step) % fitting.length]!, {
          ...{ set, defect: null, harmless: null }
        })
      )
    })
  const sixthPlain = listInTurn('sixth', SIXTH_STYLES, SIXTH_POSTS)
  const seventhPlain = listInTurn('seventh', SEVENTH_STYLES, SEVENTH_POSTS)
  const pagesOf: Record<CaseSet, readonly Draft[]> = {
    first: plain,
    third: plain,
    fourth: [...plain, ...fourthPlain],
    fifth: [...plain, ...fourthPlain, ...fifthPlain],
    sixth: sixthPlain,
    seventh: seventhPlain
  }
  const listChanges = (set: CaseSet, defects: readonly Defect[], harmlessChanges: readonly HarmlessChange[]) => [
    ...defects.map((defect) => ({ set, change: defect, defect, harmless: null })),
    ...harmlessChanges.map((harmless) => ({ set, change: harmless, defect: null, harmless }))
  ]
  const changes = [
    ...listChanges('first', DEFECTS, HARMLESS_CHANGES),
    ...listChanges('third', THIRD_DEFECTS, THIRD_HARMLESS_CHANGES),
    ...listChanges('fourth', FOURTH_DEFECTS, FOURTH_HARMLESS_CHANGES),
    ...listChanges('fifth', FIFTH_DEFECTS, FIFTH_HARMLESS_CHANGES),
    ...listChanges('sixth', [], SIXTH_HARMLESS_CHANGES),
    ...listChanges('seventh', SEVENTH_DEFECTS, SEVENTH_HARMLESS_CHANGES)
  ]
  const changed = changes.flatMap(({ change, ...kind }) => {
    const possible = pagesOf[kind.set].filter(
      ({ half, style, post }) =>
        half === change.half &&
        (change.styles?.includes(style.name) ?? true) &&
        fitsLocale(change.locales, post.source.locale) &&
        (change.needs?.test(post.blog.htmlContent) ?? true)
    )
    if (possible.length === 0) throw new Error(`No page fits ${change.half}/${change.name}`)
    const choices = createChoices(`pages of ${change.half} ${change.name}`, PAIRING_SEED)
    const chosen: Draft[] = []
    // Different styles, and different posts as long as there are any.
    for (const draft of choices.sample(possible, possible.length)) {
      if (chosen.length < PAGES_OF_A_CHANGE && !chosen.some(({ style }) => style === draft.style)) chosen.push(draft)
    }
    return chosen.map(({ style, post }) => toDraft(style, post, kind))
  })
  return [
    ...plain,
    ...changed.filter(({ set }) => set !== 'seventh'),
    ...fourthPlain,
    ...fifthPlain,
    ...sixthPlain,
    ...listInTurn('sixth', SIXTH_LATER_STYLES, SIXTH_POSTS),
    ...changed.filter(({ set }) => set === 'seventh'),
    ...seventhPlain,
    ...listInTurn('seventh', SEVENTH_LATER_STYLES, SEVENTH_POSTS)
  ]
}

/** A list with `en` has `en-GB` too. */
const fitsLocale = (locales: string[] | undefined, locale: string): boolean =>
  locales === undefined || locales.some((name) => locale === name || locale.startsWith(`${name}-`))

function toDraft(
  style: SiteStyle,
  post: Post,
  { set, defect, harmless }: Pick<PageCase, 'set' | 'defect' | 'harmless'>
): Draft {
  const plainId = `${style.name}/${post.source.id}/plain`
  const change = defect ?? harmless
  return {
    id: change === null ? plainId : `${style.name}/${post.source.id}/${change.name}`,
    half: style.half,
    set,
    kind: defect !== null ? 'defect' : harmless !== null ? 'harmless' : 'plain',
    style,
    post,
    defect,
    harmless,
    plainId
  }
}

function renderCase(
  { style, post, defect, harmless, url }: PageCase,
  origin: string,
  posts: readonly Post[]
): ServedPage {
  const ofSet = [SIXTH_POSTS, SEVENTH_POSTS].find((sources) => sources.includes(post.source)) ?? POSTS
  const sameHalf = posts.filter(({ source }) => source.half === post.source.half && ofSet.includes(source))
  const other = sameHalf[(sameHalf.indexOf(post) + 1) % sameHalf.length]!
  const page = createPage({ origin, path: new URL(url).pathname, style, post, other })
  const change = defect ?? harmless
  change?.apply(page)
  const { status, headers, delayMs } = page
  return { status, headers, delayMs, body: renderPage(page, style) }
}
