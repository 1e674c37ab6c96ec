import { getMetaContents, isSamePage } from './helpers/page.ts'
import { matchesText, normalizeText, round, textSimilarity } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Below this similarity a title is another one. */
const MIN_SIMILARITY = 0.5

function detectTitleMismatch({ snapshot: { document }, expected }: RuleInput): RuleHit | null {
  const title = document.titles[0]?.trim() ?? ''
  if (title === '') return null
  const accepted = [expected.title, expected.metaTitle ?? expected.title]
  if (accepted.some((one) => normalizeText(title).includes(normalizeText(one)))) return null
  const similarity = Math.max(...accepted.map((one) => textSimilarity(title, one)))
  if (similarity >= MIN_SIMILARITY || accepted.some((one) => isTruncatedTitle(title, one))) return null
  return {
    extent: 1,
    places: [],
    evidence: { likeness: round(similarity) },
    expected: expected.title,
    actual: title.slice(0, 300)
  }
}

/** Long titles may be truncated. */
function isTruncatedTitle(title: string, expected: string): boolean {
  const beginning = normalizeText(title)
    .split(/\.\.\.| [|·•-] /)[0]!
    .trim()
  return beginning.length >= 20 && normalizeText(expected).startsWith(beginning)
}

function detectDescriptionMissing({ snapshot, expected }: RuleInput): RuleHit | null {
  if (getMetaContents(snapshot, 'description').length > 0) return null
  return { extent: 1, places: [], evidence: {}, expected: expected.metaDescription }
}

function detectDescriptionDuplicate({ snapshot }: RuleInput): RuleHit | null {
  const descriptions = getMetaContents(snapshot, 'description')
  if (descriptions.length <= 1) return null
  return {
    extent: 1,
    places: [],
    evidence: { descriptions: descriptions.slice(0, 5).map((text) => text.slice(0, 200)) }
  }
}

function detectDescriptionMismatch({ snapshot, expected: { metaDescription } }: RuleInput): RuleHit | null {
  const [description] = getMetaContents(snapshot, 'description')
  if (description === undefined || metaDescription === '' || isDescription(description, metaDescription)) return null
  return { extent: 1, places: [], evidence: {}, expected: metaDescription, actual: description.slice(0, 300) }
}

/** Whether a description is ours. Long ones may be truncated. */
function isDescription(description: string, expected: string): boolean {
  const beginning = normalizeText(description).replace(/\.{3}$/, '')
  const isTruncated = beginning.length >= 40 && normalizeText(expected).startsWith(beginning)
  return isTruncated || matchesText(description, expected)
}

/** Sites may use the beginning of the text. */
function detectOgDescriptionMismatch({ snapshot, expected: { metaDescription } }: RuleInput): RuleHit | null {
  const [description] = getMetaContents(snapshot, 'og:description')
  if (description === undefined || metaDescription === '' || isDescription(description, metaDescription)) return null
  const text = normalizeText(snapshot.blocks.map((block) => block.text).join(' '))
  if (text.includes(normalizeText(description).replace(/\.{3}$/, ''))) return null
  return { extent: 1, places: [], evidence: {}, expected: metaDescription, actual: description.slice(0, 300) }
}

function detectOgUrlMismatch({ snapshot, expected }: RuleInput): RuleHit | null {
  const [address] = getMetaContents(snapshot, 'og:url')
  if (address === undefined) return null
  const { url, canonicalUrl, environment } = expected
  const hit: RuleHit = {
    extent: 1,
    places: [],
    evidence: {},
    expected: canonicalUrl ?? url,
    actual: address.slice(0, 300)
  }
  if (!URL.canParse(address)) return { ...hit, message: "The page's `og:url` is relative or invalid." }
  const allowed = [canonicalUrl, url, snapshot.runtime.finalUrl, ...snapshot.document.canonicals]
  const isAllowed = allowed.some((one) => one !== null && isSamePage(address, one, environment === 'staging'))
  return isAllowed ? null : { ...hit, message: "The page's `og:url` leads to another page." }
}

function detectOgTitleMissing({ snapshot, expected }: RuleInput): RuleHit | null {
  if (getMetaContents(snapshot, 'og:title').length > 0) return null
  const title = (snapshot.document.titles[0] ?? '').slice(0, 200)
  return { extent: 1, places: [], evidence: { title }, expected: expected.title }
}

function detectOgTitleMismatch({ snapshot, expected }: RuleInput): RuleHit | null {
  const [title] = getMetaContents(snapshot, 'og:title')
  if (title === undefined || matchesText(title, expected.title)) return null
  if (textSimilarity(title, expected.title) >= MIN_SIMILARITY) return null
  return { extent: 1, places: [], evidence: {}, expected: expected.title, actual: title.slice(0, 300) }
}

function detectOgImageMissing({ snapshot, expected }: RuleInput): RuleHit | null {
  if (expected.ogImageUrl === null || getMetaContents(snapshot, 'og:image').length > 0) return null
  return { extent: 1, places: [], evidence: {}, expected: expected.ogImageUrl }
}

function detectOgImageBroken({ snapshot, expected }: RuleInput): RuleHit | null {
  const url = getMetaContents(snapshot, 'og:image')[0] ?? ''
  const isRelative = url !== '' && !URL.canParse(url)
  if (snapshot.document.ogImageLoads !== false && !isRelative) return null
  return {
    extent: 1,
    places: [],
    evidence: {},
    ...(expected.ogImageUrl === null ? {} : { expected: expected.ogImageUrl }),
    actual: url.slice(0, 300),
    // https://ogp.me/#types: a URL has a protocol and a host.
    message: `The page's \`og:image\` ${isRelative ? 'is relative: link previews cannot load it' : 'fails to load'}.`
  }
}

function detectH1Missing({ snapshot: { document } }: RuleInput): RuleHit | null {
  if (document.h1s.some(({ rendered }) => rendered)) return null
  return { extent: 1, places: [], evidence: { unseen: document.h1s.length } }
}

/** Main headings inside the blog's own HTML do not count. */
function detectH1Duplicate({ snapshot }: RuleInput): RuleHit | null {
  const own = snapshot.blocks.filter(({ tag }) => tag === 'h1').map(({ text }) => normalizeText(text))
  const headings = snapshot.document.h1s.filter(({ rendered, text }) => rendered && !own.includes(normalizeText(text)))
  if (headings.length < 2) return null
  return {
    extent: 1,
    places: headings.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { headings: headings.slice(0, 5).map(({ text }) => text.slice(0, 120)) }
  }
}

/**
 * Deprecated codes and macrolanguages
 * (https://www.iana.org/assignments/language-subtag-registry).
 */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  nb: 'no',
  nn: 'no',
  tl: 'fil',
  cmn: 'zh',
  yue: 'zh'
}

function getPrimaryLanguage(tag: string): string {
  const language = tag.trim().toLowerCase().split(/[-_]/)[0]!
  return LANGUAGE_ALIASES[language] ?? language
}

function detectLangMismatch({ snapshot: { document }, expected: { language } }: RuleInput): RuleHit | null {
  if (document.lang.trim() === '' || getPrimaryLanguage(document.lang) === getPrimaryLanguage(language)) return null
  return { extent: 1, places: [], evidence: {}, expected: language, actual: document.lang.slice(0, 100) }
}

function detectLangMissing({ snapshot: { document }, expected }: RuleInput): RuleHit | null {
  if (document.lang.trim() !== '') return null
  return { extent: 1, places: [], evidence: {}, expected: expected.language }
}

/** Title, description, previews, main heading and language of the page. */
export const headRules: readonly Rule[] = [
  {
    code: 'TITLE_MISSING',
    category: 'metadata',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'The page has no `<title>`.',
    advice: "Add a `<title>` with the blog's `title`.",
    detect: ({ snapshot: { document } }) =>
      document.titles.some((title) => title.trim() !== '')
        ? null
        : { extent: 1, places: [], evidence: { titles: document.titles.length } },
    suppresses: { always: ['TITLE_MISMATCH'] }
  },
  {
    code: 'TITLE_MISMATCH',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: "The page's `<title>` does not match the blog's title.",
    advice: "Set `<title>` to the blog's `title`.",
    detect: detectTitleMismatch
  },
  {
    code: 'TITLE_DUPLICATE',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: 'The page has more than one `<title>`.',
    advice: 'Keep one `<title>` in the head.',
    detect: ({ snapshot: { document } }) =>
      document.titles.length > 1 ? { extent: 1, places: [], evidence: { titles: document.titles.slice(0, 5) } } : null
  },
  {
    code: 'META_DESCRIPTION_MISSING',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has no meta description.',
    advice: 'Add `<meta name="description">` with the blog\'s `metaDescription`.',
    detect: detectDescriptionMissing
  },
  {
    code: 'META_DESCRIPTION_DUPLICATE',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has more than one meta description.',
    advice: 'Keep one `<meta name="description">` in the head.',
    detect: detectDescriptionDuplicate,
    suppresses: { always: ['META_DESCRIPTION_MISMATCH'] }
  },
  {
    code: 'META_DESCRIPTION_MISMATCH',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: "The page's meta description does not match the blog's.",
    advice: 'Set `<meta name="description">` to the blog\'s `metaDescription`.',
    detect: detectDescriptionMismatch,
    suppresses: { always: ['OG_DESCRIPTION_MISMATCH'] }
  },
  {
    code: 'OG_TITLE_MISSING',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 2,
    message: 'The page has no `og:title`.',
    advice:
      'Add `<meta property="og:title">` with the blog\'s `title`. ' +
      'Without it, link previews show the page title with the site name.',
    detect: detectOgTitleMissing
  },
  {
    code: 'OG_TITLE_MISMATCH',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: "The page's `og:title` does not match the blog's title.",
    advice: 'Set `<meta property="og:title">` to the blog\'s `title`.',
    detect: detectOgTitleMismatch
  },
  {
    code: 'OG_DESCRIPTION_MISMATCH',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: "The page's `og:description` does not match the blog's description.",
    advice: 'Set `<meta property="og:description">` to the blog\'s `metaDescription`.',
    detect: detectOgDescriptionMismatch
  },
  {
    code: 'OG_URL_MISMATCH',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: "The page's `og:url` is relative or leads to another page.",
    advice: 'Set `<meta property="og:url">` to the absolute URL of the page, or to the blog\'s `canonicalUrl`.',
    detect: detectOgUrlMismatch
  },
  {
    code: 'OG_IMAGE_MISSING',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has no `og:image`: link previews have no image.',
    advice: 'Add `<meta property="og:image">` with the blog\'s `ogImageUrl`.',
    detect: detectOgImageMissing
  },
  {
    code: 'OG_IMAGE_BROKEN',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: "The page's `og:image` is relative or fails to load.",
    advice: 'Set `<meta property="og:image">` to the absolute URL of a public image.',
    detect: detectOgImageBroken
  },
  {
    code: 'H1_MISSING',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has no `<h1>`.',
    advice: "Show the blog's `title` in an `<h1>`.",
    detect: detectH1Missing
  },
  {
    code: 'H1_DUPLICATE',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The page has more than one `<h1>`.',
    advice: "Use `<h1>` only for the blog's `title`, and another element for the site name.",
    detect: detectH1Duplicate
  },
  {
    code: 'LANG_MISMATCH',
    category: 'metadata',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: "The page's `lang` does not match the blog's language.",
    advice: "Set `<html lang>` to the blog's `locale`.",
    detect: detectLangMismatch
  },
  {
    code: 'LANG_MISSING',
    category: 'metadata',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: 'The page does not declare its language.',
    advice: "Set `<html lang>` to the blog's `locale`.",
    detect: detectLangMissing
  }
]
