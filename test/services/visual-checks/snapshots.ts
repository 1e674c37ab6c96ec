import type {
  BlockSnapshot,
  ImageSnapshot,
  UnexpectedText,
  Typography,
  ViewportSnapshot,
  Visibility
} from '../../../ports/browser/port/page-snapshot.ts'
import type { ViewportName } from '../../../schemas/visual-check.ts'
import type { ExpectedPage } from '../../../services/visual-checks/rules/rule.ts'

const TEXTS: readonly (readonly [tag: string, text: string])[] = [
  [
    'p',
    'Fig trees grow well in large pots as long as their roots stay a little tight, their soil drains freely, and they stand where the sun reaches them for six hours a day.'
  ],
  ['h2', 'How to choose a pot for a fig tree'],
  [
    'p',
    'A pot of forty litres is enough for many years; a larger one brings more leaves, more shade, and rather fewer figs, because the tree spends its strength below the ground.'
  ],
  [
    'p',
    'Clay keeps the roots cool in July and breaks in January, which is why many gardeners move the whole pot into a shed before the first night of hard frost arrives.'
  ],
  ['li', 'Water deeply twice a week in summer, and hardly at all while the tree is without leaves in winter.'],
  ['li', 'Feed with compost in April and stop feeding in August, so that the wood ripens in time.'],
  ['h2', 'When figs are ripe enough to be picked'],
  [
    'p',
    'A ripe fig hangs down on its stalk, feels soft under the thumb, and often shows a small tear in its skin; it does not ripen any further once it has been picked.'
  ]
]

export const TITLE = 'Growing figs in pots on a small balcony'
export const URL_OF_PAGE = 'https://garden.example/blog/figs-in-pots'

export const expected = (changes: Partial<ExpectedPage> = {}): ExpectedPage => ({
  title: TITLE,
  html: TEXTS.map(([tag, text]) => `<${tag}>${text}</${tag}>`).join(''),
  css: 'h2 { color: #264653 }',
  language: 'en',
  url: URL_OF_PAGE,
  environment: 'live',
  metaDescription: 'Which pot a fig tree needs, how to water and feed it, and how to tell that its fruit is ripe.',
  ogImageUrl: 'https://garden.example/figs.jpg',
  canonicalUrl: null,
  ...changes
})

const visibility = (): Visibility => ({
  rendered: true,
  opacity: 1,
  clippedShare: 0,
  offScreenShare: 0,
  coveredShare: 0,
  coveredBy: null,
  contrast: 12.6,
  paintedShare: null,
  scale: 1,
  rotation: 0
})
const typesetting = (tag: string): Typography => ({
  fontPx: tag === 'h2' ? 24 : 16,
  bold: tag === 'h2',
  lineHeightRatio: 1.5,
  letterSpacingEm: 0,
  wordSpacingEm: 0,
  lines: tag === 'h2' ? 1 : 3,
  charactersPerLine: 62,
  lineCapacity: 70,
  direction: 'ltr',
  fontFamily: 'serif'
})

function block(index: number): BlockSnapshot {
  const [tag, text] = TEXTS[index]!
  const place = {
    selector: `article>*:nth-child(${index + 1})`,
    box: { x: 20, y: 200 + index * 100, width: 640, height: 80 }
  }
  return {
    index,
    tag,
    text,
    similarity: 1,
    actual: text,
    actualTag: tag,
    order: index + 3,
    copies: 1,
    expectedCopies: 1,
    place,
    visibility: visibility(),
    typography: typesetting(tag),
    secondCopy: null
  }
}

const image = (index: number): ImageSnapshot => ({
  index,
  matchedByUrl: true,
  similarity: null,
  inArticle: true,
  src: `https://garden.example/fig-${index}.jpg`,
  lazySrc: null,
  alt: `Fig tree ${index}`,
  complete: true,
  naturalWidth: 1200,
  naturalHeight: 800,
  objectFit: 'fill',
  betweenBlocks: true,
  rendered: true,
  opacity: 1,
  visibleShare: 1,
  selector: `article>img:nth-of-type(${index + 1})`,
  box: { x: 20, y: 900 + index * 500, width: 600, height: 400 }
})

/** A picture among the text that our HTML does not have. */
export const otherImage = (): ImageSnapshot => ({
  ...image(0),
  index: null,
  src: 'https://garden.example/banner.jpg',
  alt: 'Buy tools',
  selector: 'article>img.banner'
})

/** Text of the page that is not ours. */
export const unexpectedText = (
  text: string,
  scope: UnexpectedText['scope'] = 'around',
  inCode = false
): UnexpectedText => ({
  text,
  scope,
  inCode,
  selector: `.stranger-${text.length}`,
  box: { x: 0, y: 0, width: 300, height: 40 }
})

/** What is seen of a page with which nothing is wrong, in one viewport. */
export function goodSnapshot(viewport: ViewportName = 'desktop'): ViewportSnapshot {
  const [width, height] = viewport === 'mobile' ? [390, 844] : [1366, 900]
  const box = { x: 0, y: 100, width: 700, height: 2000 }
  const jsonLd = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'BlogPosting', headline: TITLE },
      { '@type': 'WebSite', name: 'Garden' }
    ]
  })
  return {
    viewport,
    width,
    height,
    document: {
      titles: [`${TITLE} | Garden`],
      lang: 'en-GB',
      direction: 'ltr',
      canonicals: [URL_OF_PAGE],
      jsonLd: [jsonLd],
      viewportMeta: 'width=device-width',
      layoutWidth: width,
      scrollWidth: width,
      scrollHeight: 2400,
      metas: [
        { key: 'description', content: expected().metaDescription },
        { key: 'og:title', content: TITLE },
        { key: 'og:image', content: 'https://garden.example/figs.jpg' }
      ],
      h1s: [{ text: TITLE, rendered: true, selector: 'h1', box }],
      text: ['Garden', TITLE, ...TEXTS.map(([, text]) => text), 'Imprint'].join(' '),
      passwordFields: 0,
      elements: 120,
      ogImageLoads: viewport === 'desktop' ? true : null
    },
    article: { selector: 'article', box, headlineVisible: true },
    blocks: TEXTS.map((_, index) => block(index)),
    unexpectedTexts: [unexpectedText('Garden', 'site'), unexpectedText('By Ada Lind, 5 min read')],
    images: [image(0), image(1)],
    expectedImages: [0, 1].map((index) => ({
      src: `https://garden.example/fig-${index}.jpg`,
      alt: `Fig tree ${index}`
    })),
    css: { declarations: 40, applied: 40, broken: [] },
    overflows: [],
    overlaps: [],
    layers: [],
    layersShare: 0.08,
    layoutShift: 0,
    lateFonts: [],
    axe: [],
    runtime: {
      status: 200,
      finalUrl: URL_OF_PAGE,
      redirects: [URL_OF_PAGE],
      exceptions: [],
      failures: [],
      dialogs: [],
      pending: [],
      responseMs: 500,
      firstContentMs: 500
    }
  }
}

/** The facts of a good page with something changed in each viewport, by default in both. */
export function snapshotsWith(
  change: (facts: ViewportSnapshot) => void,
  viewports: readonly ViewportName[] = ['mobile', 'desktop']
): ViewportSnapshot[] {
  return viewports.map((viewport) => {
    const facts = goodSnapshot(viewport)
    change(facts)
    return facts
  })
}

/** Takes blocks out of the page. */
export function lose(facts: ViewportSnapshot, ...indices: number[]): void {
  for (const index of indices) {
    const lost = facts.blocks[index]!
    facts.document.text = facts.document.text.replace(lost.text, '')
    Object.assign(lost, {
      similarity: 0,
      actual: null,
      order: null,
      copies: 0,
      place: null,
      visibility: null,
      type: null
    })
  }
}

/** Takes all of the text and the images out of the page, and puts another text in its place. */
export function replaceAll(facts: ViewportSnapshot, text: string, title: string): void {
  lose(facts, ...facts.blocks.keys())
  Object.assign(facts, { article: null, images: [], css: { declarations: 40, holding: 0, broken: [] } })
  Object.assign(facts.document, {
    text,
    titles: [title],
    h1s: [{ text: title, rendered: true, selector: 'h1', box: null }],
    jsonLd: []
  })
}

/** The page has another text in the place of a block, like it and not the same. */
export function alter(facts: ViewportSnapshot, index: number, actual: string, similarity = 0.8): void {
  Object.assign(facts.blocks[index]!, { actual, similarity })
}

export const setVisibility = (
  facts: ViewportSnapshot,
  changes: Partial<Visibility>,
  indices: readonly number[] = [...facts.blocks.keys()]
): void => {
  for (const index of indices) Object.assign(facts.blocks[index]!.visibility!, changes)
}
export const setType = (
  facts: ViewportSnapshot,
  changes: Partial<Typography>,
  indices: readonly number[] = [...facts.blocks.keys()]
): void => {
  for (const index of indices) Object.assign(facts.blocks[index]!.typography!, changes)
}
