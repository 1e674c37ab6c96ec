/// <reference lib="dom" />
import type { BlockSnapshot, ViewportSnapshot } from '../../port/page-snapshot.ts'
import { findArticle, type Article } from './article.ts'
import { coverBlocks } from './covering.ts'
import { cssInForce } from './css-in-force.ts'
import { doubtsOf, rememberDoubtful, type Doubt } from './doubting.ts'
import { documentFact, layersOf, overlapsOf, strangersOf, wideOf } from './frame.ts'
import { freeze } from './freezing.ts'
import { expectedImagesOf, imagesOf } from './images.ts'
import { matchBlocks, pickFound, type Match } from './matching.ts'
import { boxAround, placeOf, selectorOf } from './places.ts'
import { rectsOf, textBlocksOf, type TextBlock } from './text-blocks.ts'
import { foldText, pressText } from './text-folding.ts'
import { holds, nearest } from './tree.ts'
import { typesettingOf } from './typesetting.ts'
import { visibilityOf } from './visibility.ts'

/** What the page can tell; the rest of the facts is known outside of it. */
export type PageSnapshot = Pick<
  ViewportSnapshot,
  | 'article'
  | 'blocks'
  | 'unexpectedTexts'
  | 'images'
  | 'expectedImages'
  | 'css'
  | 'overflows'
  | 'overlaps'
  | 'layers'
  | 'layersShare'
> & {
  document: Omit<ViewportSnapshot['document'], 'ogImageLoads'>
  fonts: { family: string; characters: number }[]
  doubts: Doubt[]
}

/**
 * Gathers all facts at once. The page is left as it was but for its animations, which have ended.
 */
export function capturePage({ title, html, css }: { title: string; html: string; css: string }): PageSnapshot {
  const own = new DOMParser().parseFromString(`<body>${html}</body>`, 'text/html')
  const thaw = freeze({ opensDetails: own.querySelector('details') !== null })
  try {
    const page = textBlocksOf(document.body)
    const matches = matchBlocks(textBlocksOf(own.body), page)
    const article = findArticle(matches)
    // For what is run after this in the same world.
    Object.assign(globalThis, { measuredArticle: article?.root })
    const blocks = blockFacts(matches, article)
    const found = blocks.flatMap(({ fact, block }) => (block === null ? [] : [{ index: fact.index, block }]))
    const expectedImages = expectedImagesOf(own.body)
    const inPage = matches.flatMap((match) => match.found)
    const { layers, share } = layersOf(article)
    const doubts = doubtsOf(
      blocks.flatMap(({ fact, block }) =>
        block === null ? [] : [{ index: fact.index, block, visibility: fact.visibility }]
      )
    )
    rememberDoubtful(new Map(found.map(({ index, block }) => [index, block])), doubts)
    return {
      document: documentFact(),
      article:
        article === null
          ? null
          : { ...placeOf(article.root), headlineVisible: isHeadlineShown(title, { article, page }) },
      blocks: blocks.map(({ fact }) => fact),
      unexpectedTexts: strangersOf(page, { article, own: inPage, title }),
      images:
        article === null
          ? []
          : imagesOf(article, { images: expectedImages, blocks: found.map(({ block }) => block.element) }),
      expectedImages,
      css:
        article === null
          ? { declarations: 0, applied: 0, broken: [] }
          : cssInForce({
              css,
              own,
              root: article.root,
              present: matches.filter(({ found: there }) => there.length > 0).map((match) => match.own.element)
            }),
      overflows: wideOf(article),
      overlaps: overlapsOf(found, page),
      layers,
      layersShare: share,
      fonts: fontsOf(blocks.map(({ fact }) => fact)),
      doubts
    }
  } finally {
    thaw()
  }
}

/** What became of each of our blocks. */
export function blockFacts(
  matches: Match[],
  article: Article | null
): { fact: BlockSnapshot; block: TextBlock | null }[] {
  const copies = new Map<string, number>()
  const expected = Map.groupBy(matches, ({ own }) => own.pressed)
  const all = matches.map((match, index) => {
    const { own, similarity } = match
    const copy = copies.get(own.pressed) ?? 0
    copies.set(own.pressed, copy + 1)
    const picked = pickFound(match, { copy, article: article?.root ?? null })
    const block = picked === null || isSign(picked, { own, article }) ? null : picked
    const visibility = block === null ? null : visibilityOf(block)
    return { match, index, block, visibility, similarity, own }
  })
  coverBlocks(
    all.flatMap(({ block, visibility }) => (block === null || visibility === null ? [] : [{ block, visibility }]))
  )
  return all.map(({ match, index, block, visibility, similarity, own }) => {
    const shown = match.found.filter((one) => rectsOf(one).length > 0)
    const second = shown.find((one) => one.element !== block?.element)
    const fact: BlockSnapshot = {
      index,
      tag: own.element.localName,
      text: own.text,
      similarity: block === null ? 0 : similarity,
      actual: block?.text ?? null,
      actualTag: block?.element.localName ?? null,
      order: block?.order ?? null,
      copies: shown.length,
      expectedCopies: expected.get(own.pressed)?.length ?? 1,
      place:
        block === null
          ? null
          : {
              selector: selectorOf(block.element),
              box: boxAround(rectsOf(block)) ?? boxAround(block.element.getClientRects())
            },
      visibility,
      typography: block !== null && visibility?.rendered ? typesettingOf(block, visibility) : null,
      secondCopy: second === undefined ? null : placeOf(second.element)
    }
    return { fact, block }
  })
}

/**
 * Whether a block only points to our text: a heading in a list of contents, a title among the links
 * of the site's frame.
 */
export function isSign(block: TextBlock, { own, article }: { own: TextBlock; article: Article | null }): boolean {
  const isHeading = ({ element }: TextBlock): boolean => /^h[1-6]$/.test(element.localName)
  const link = nearest(block.element, 'a[href*="#"]') ?? block.element.querySelector('a[href*="#"]')
  if (isHeading(own) && !isHeading(block) && link !== null && pressText(link.textContent ?? '').includes(own.pressed)) {
    return true
  }
  return (
    article !== null &&
    !holds(article.root, block.element) &&
    nearest(block.element, 'nav, [role=navigation], footer') !== null
  )
}

/**
 * Whether the headline can be read in the article's frame, or elsewhere as a heading: by its
 * element, or by its size.
 */
export function isHeadlineShown(title: string, { article, page }: { article: Article; page: TextBlock[] }): boolean {
  const wanted = foldText(title)
  return page.some(
    (block) =>
      block.folded.includes(wanted) &&
      block.folded.length < wanted.length * 2 + 40 &&
      rectsOf(block).length > 0 &&
      (holds(article.frame, block.element) || /^h[12]$/.test(block.element.localName) || isLarge(block.element))
  )
}

export const isLarge = (element: Element): boolean => parseFloat(getComputedStyle(element).fontSize) >= 22

/** How many characters of ours each family of fonts is asked for first. */
export function fontsOf(blocks: BlockSnapshot[]): { family: string; characters: number }[] {
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
