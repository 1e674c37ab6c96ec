/// <reference lib="dom" />
import type { BlockSnapshot, ViewportSnapshot } from '../../../port/page-snapshot.ts'
import { findAddedTexts, labelsOfCells } from './added-texts.ts'
import { measureCoverage } from './covering.ts'
import { checkCss } from './css-check.ts'
import { boundingBox, locate, selectorFor, composedContains, composedClosest } from './dom.ts'
import { codeChangeOf } from './code.ts'
import { captureEmbeds } from './embeds.ts'
import { measureFlow } from './flow.ts'
import { findGaps } from './gaps.ts'
import { freezePage } from './freezing.ts'
import { findWrongGlyphs } from './glyph-check.ts'
import { expectedImagesOf, captureImages } from './images.ts'
import { captureDocument, findLayers, findOverlaps, findUnexpectedTexts, findOverflows } from './layout.ts'
import { hidingCauseOf } from './hiding-cause.ts'
import { captureLinks, findLinksWithoutClicks } from './links.ts'
import { findArticle, type Article, matchBlocks, pickMatch, type Match } from './matching.ts'
import { ownKeysOf } from './own-elements.ts'
import { findPixelChecks, preparePixelChecks, type PixelCheck } from './pixel-checks.ts'
import { blockStylesOf } from './reference-styles.ts'
import { prepareReference } from './reference-words.ts'
import { captureAlternates, captureTimes } from './references.ts'
import { captureRoles } from './roles.ts'
import { findTextOnPictures } from './structure.ts'
import { findEndlessAnimations } from './text-damage.ts'
import { hostOf, rectsOf, textBlocksOf, type TextBlock, foldText, compactText } from './text-blocks.ts'
import { isHiddenByStyles, typographyOf, visibilityOf } from './visibility.ts'

/** The part of a snapshot that is measured in the page. */
export type PageSnapshot = Pick<
  ViewportSnapshot,
  | 'article'
  | 'blocks'
  | 'unexpectedTexts'
  | 'addedTexts'
  | 'embeds'
  | 'images'
  | 'expectedImages'
  | 'css'
  | 'overflows'
  | 'overlaps'
  | 'gaps'
  | 'layers'
  | 'layersShare'
  | 'roles'
  | 'links'
  | 'alternates'
  | 'times'
> & {
  document: Omit<ViewportSnapshot['document'], 'ogImageLoads'>
  fonts: { family: string; characters: number }[]
  pixelChecks: PixelCheck[]
}

/** Captures the page. Restores its state, except for animations, which have ended. */
export function capturePage({ title, html, css }: { title: string; html: string; css: string }): PageSnapshot {
  const own = new DOMParser().parseFromString(`<body>${html}</body>`, 'text/html')
  const opensDetails = own.querySelector('details') !== null
  findEndlessAnimations()
  const withoutClicks = findLinksWithoutClicks()
  const thaw = freezePage({ opensDetails })
  try {
    const page = textBlocksOf(document.body)
    const matches = matchBlocks(textBlocksOf(own.body), page)
    const article = findArticle(matches)
    // For axe, which runs later in the same world.
    Object.assign(globalThis, { measuredArticle: { root: article?.root, keys: ownKeysOf(own.body) } })
    const blocks = captureBlocks(matches, article, withoutClicks)
    const found = blocks.flatMap(({ fact, block }) => (block === null ? [] : [{ index: fact.index, block }]))
    const matched = found.map(({ index, block }) => ({ index, block, own: matches[index]!.own }))
    if (article !== null) {
      const pairs = matched.map(({ index, block, own: ownBlock }) => ({
        index,
        block,
        own: ownBlock.element,
        ownBlock
      }))
      const flow = measureFlow(pairs, article)
      for (const { fact } of blocks) Object.assign(fact, flow.has(fact.index) ? { flow: flow.get(fact.index) } : {})
    }
    const labels = labelsOfCells(found)
    for (const { fact } of blocks) {
      if (fact.tag === 'th' && labels.has(foldText(fact.text))) fact.shownAsLabel = true
    }
    const expectedImages = expectedImagesOf(
      own.body,
      matches.flatMap((match, index) => (blocks[index]!.block === null ? [] : [match.own.element]))
    )
    const inPage = matches.flatMap((match) => match.found)
    const { layers, share } = findLayers(article)
    const pixelChecks = findPixelChecks(
      blocks.flatMap(({ fact, block }) =>
        block === null ? [] : [{ index: fact.index, block, visibility: fact.visibility }]
      )
    )
    prepareReference(
      blocks.flatMap(({ fact, block }) => (block === null || article === null ? [] : [{ ...fact, block }])),
      { opensDetails }
    )
    preparePixelChecks(new Map(found.map(({ index, block }) => [index, block])), pixelChecks)
    return {
      document: captureDocument(),
      article:
        article === null
          ? null
          : { ...locate(article.root), headlineVisible: isHeadlineVisible(title, { article, page }) },
      blocks: blocks.map(({ fact }) => fact),
      unexpectedTexts: findUnexpectedTexts(page, { article, own: inPage, title }),
      ...(article === null
        ? {}
        : {
            addedTexts: findAddedTexts(found, { css, texts: matches.map((match) => match.own.text) }),
            embeds: captureEmbeds(own.body, article)
          }),
      images:
        article === null
          ? []
          : captureImages(article, { images: expectedImages, blocks: found.map(({ block }) => block.element) }),
      expectedImages,
      css:
        article === null
          ? { declarations: 0, applied: 0, broken: [] }
          : checkCss({
              css,
              own,
              root: article.root,
              present: matches.filter(({ found: there }) => there.length > 0).map((match) => match.own.element)
            }),
      overflows: findOverflows(article),
      overlaps: [...findOverlaps(found, page), ...findTextOnPictures(found, article?.root ?? null)],
      ...(article === null ? {} : { gaps: findGaps(article, { own: found.map(({ block }) => block), page }) }),
      layers,
      layersShare: share,
      roles: captureRoles(matched, article),
      links: captureLinks(matched, withoutClicks),
      alternates: captureAlternates(),
      times: captureTimes(page, { article, own: found.map(({ block }) => block), title }),
      fonts: countFonts(blocks.map(({ fact }) => fact)),
      pixelChecks
    }
  } finally {
    thaw()
  }
}

/** The snapshot of each block of the blog, with its counterpart in the page. */
export function captureBlocks(
  matches: Match[],
  article: Article | null,
  withoutClicks: ReadonlySet<Element> = new Set()
): { fact: BlockSnapshot; block: TextBlock | null }[] {
  const copies = new Map<string, number>()
  const expected = Map.groupBy(matches, ({ own }) => own.compact)
  const all = matches.map((match, index) => {
    const { own, similarity } = match
    const copy = copies.get(own.compact) ?? 0
    copies.set(own.compact, copy + 1)
    const texts = withoutRepetitions(match.found, own).filter((one) => !isReference(one, { own, article }))
    const block = pickMatch({ ...match, found: texts }, { copy, article: article?.root ?? null })
    const visibility = block === null ? null : visibilityOf(block)
    return { match, index, block, visibility, similarity, own }
  })
  measureCoverage(
    all.flatMap(({ block, visibility }) => (block === null || visibility === null ? [] : [{ block, visibility }])),
    withoutClicks
  )
  const rendered = all.flatMap(({ block, visibility }) => (block !== null && visibility?.rendered ? [block] : []))
  const wrong = findWrongGlyphs(rendered)
  const MAX_CAUSES = 5
  let causes = 0
  return all.map(({ match, index, block, visibility, similarity, own }) => {
    const shown = withoutRepetitions(match.found, own).filter((one) => rectsOf(one).length > 0)
    const second = shown.find((one) => one.element !== block?.element)
    const typography = block !== null && visibility?.rendered ? typographyOf(block, visibility) : null
    const isHidden = block !== null && visibility !== null && isHiddenByStyles(visibility, typography)
    const fact: BlockSnapshot = {
      index,
      tag: own.element.localName,
      text: own.text,
      similarity: block === null ? 0 : similarity,
      actual: block?.text ?? null,
      actualTag: block?.element.localName ?? null,
      order: block?.order ?? null,
      copies: shown.length,
      expectedCopies: expected.get(own.compact)?.length ?? 1,
      place:
        block === null
          ? null
          : {
              selector: selectorFor(block.element),
              box: boundingBox(rectsOf(block)) ?? boundingBox(block.element.getClientRects())
            },
      visibility,
      typography,
      ...(isHidden && causes++ < MAX_CAUSES ? { hiddenBy: hidingCauseOf(hostOf(block), visibility, typography) } : {}),
      secondCopy: second === undefined ? null : locate(second.element),
      ...(block === null
        ? {}
        : { ...addedBreaksOf(own, block), ...heldSpacesOf(own, block), ...codeChangeOf(own, block) }),
      ...(block !== null && visibility?.rendered
        ? {
            styles: {
              ...blockStylesOf(block, { own, root: article?.root ?? null }),
              ...(wrong.has(block) ? { wrongGlyphs: true } : {})
            }
          }
        : {})
    }
    return { fact, block }
  })
}

/** The line breaks of a block that the blog does not have. Highlighters write those of code as elements. */
export function addedBreaksOf(own: TextBlock, block: TextBlock): Pick<BlockSnapshot, 'addedBreaks'> {
  const lineFeeds = own.element.localName === 'pre' ? (own.element.textContent ?? '').trimEnd().split('\n').length : 0
  const added = block.element.querySelectorAll('br').length - own.element.querySelectorAll('br').length - lineFeeds
  return added > 0 ? { addedBreaks: added } : {}
}

/** The share of spaces at which a text cannot break, but can in the blog. Sites hold few of them. */
export function heldSpacesOf(own: TextBlock, block: TextBlock): Pick<BlockSnapshot, 'heldSpaces'> {
  const MIN_SPACES = 6
  const MIN_SHARE = 0.3
  const countIn = ({ nodes }: TextBlock, spaces: RegExp): number =>
    nodes.reduce((sum, { data }) => sum + (data.trim().match(spaces)?.length ?? 0), 0)
  const all = countIn(own, /\s+/g)
  const share = (countIn(block, /[\u00a0\u202f\u2060]/g) - countIn(own, /[\u00a0\u202f\u2060]/g)) / Math.max(1, all)
  return all >= MIN_SPACES && share >= MIN_SHARE ? { heldSpaces: Math.round(Math.min(1, share) * 100) / 100 } : {}
}

/** If a heading of the blog is one in the page, other texts with its words, as in a contents list, repeat it. */
export function withoutRepetitions(found: TextBlock[], own: TextBlock): TextBlock[] {
  if (!isHeadingBlock(own)) return found
  const headings = found.filter(isHeadingBlock)
  return headings.length > 0 ? headings : found
}

export const isHeadingBlock = ({ element }: TextBlock): boolean => /^h[1-6]$/.test(element.localName)

/**
 * Whether a block only refers to the blog's text: a heading in a table of contents, or a title in
 * the site's navigation.
 */
export function isReference(block: TextBlock, { own, article }: { own: TextBlock; article: Article | null }): boolean {
  const link = composedClosest(block.element, 'a[href*="#"]') ?? block.element.querySelector('a[href*="#"]')
  if (
    isHeadingBlock(own) &&
    !isHeadingBlock(block) &&
    link !== null &&
    compactText(link.textContent ?? '').includes(own.compact)
  ) {
    return true
  }
  return (
    article !== null &&
    !composedContains(article.root, block.element) &&
    composedClosest(block.element, 'nav, [role=navigation], footer') !== null
  )
}

/** Whether the headline is rendered in the article's frame, or elsewhere as a heading or in large text. */
export function isHeadlineVisible(title: string, { article, page }: { article: Article; page: TextBlock[] }): boolean {
  const wanted = foldText(title)
  return page.some(
    (block) =>
      block.folded.includes(wanted) &&
      block.folded.length < wanted.length * 2 + 40 &&
      rectsOf(block).length > 0 &&
      (composedContains(article.frame, block.element) ||
        /^h[12]$/.test(block.element.localName) ||
        isLarge(block.element))
  )
}

export const isLarge = (element: Element): boolean => parseFloat(getComputedStyle(element).fontSize) >= 22

/** The number of the blog's characters by first font family. */
export function countFonts(blocks: BlockSnapshot[]): { family: string; characters: number }[] {
  const characters = new Map<string, number>()
  for (const { typography, text } of blocks) {
    const family = typography?.fontFamily
      .split(',')[0]
      ?.trim()
      .replace(/^["']|["']$/g, '')
    if (family) characters.set(family, (characters.get(family) ?? 0) + text.length)
  }
  return [...characters].map(([family, count]) => ({ family, characters: count }))
}
