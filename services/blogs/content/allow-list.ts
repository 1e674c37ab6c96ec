/** Attributes allowed on every element. */
export const GLOBAL_ATTRIBUTES: readonly string[] = ['class', 'id', 'dir', 'lang', 'title', 'aria-label', 'aria-hidden']

/**
 * Every allowed element with its own attributes, besides the global ones. Nothing else is ever
 * delivered.
 */
export const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'target', 'rel', 'hreflang'],
  abbr: [],
  b: [],
  bdi: [],
  bdo: [],
  blockquote: [],
  br: [],
  caption: [],
  cite: [],
  code: [],
  col: ['span'],
  colgroup: ['span'],
  dd: [],
  del: ['datetime'],
  details: ['open'],
  dfn: [],
  div: ['data-svc-blog'],
  dl: [],
  dt: [],
  em: [],
  figcaption: [],
  figure: [],
  h2: [],
  h3: [],
  h4: [],
  hr: [],
  i: [],
  iframe: ['src', 'width', 'height', 'loading', 'sandbox', 'allow', 'allowfullscreen', 'referrerpolicy'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority'],
  input: ['type', 'checked', 'disabled'],
  ins: ['datetime'],
  kbd: [],
  li: ['value'],
  mark: [],
  ol: ['start', 'reversed', 'type'],
  p: [],
  picture: [],
  pre: [],
  q: [],
  rp: [],
  rt: [],
  ruby: [],
  s: [],
  samp: [],
  section: [],
  small: [],
  source: ['srcset', 'sizes', 'media', 'type'],
  span: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['colspan', 'rowspan'],
  tfoot: [],
  th: ['colspan', 'rowspan', 'scope'],
  thead: [],
  time: ['datetime'],
  tr: [],
  u: [],
  ul: [],
  var: [],
  wbr: []
}

/** Elements that are renamed: the page has its own h1 and its own landmarks. */
export const RENAMED_ELEMENTS: Readonly<Record<string, string>> = {
  h5: 'h4',
  h6: 'h4',
  article: 'div',
  aside: 'div',
  header: 'div',
  footer: 'div',
  main: 'div',
  nav: 'div',
  address: 'div',
  center: 'div',
  hgroup: 'div',
  form: 'div',
  fieldset: 'div',
  legend: 'p',
  image: 'img',
  strike: 's',
  tt: 'code',
  dir: 'ul',
  menu: 'ul',
  acronym: 'abbr'
}

/** Elements that are removed with their content, which is no text for readers. */
export const REMOVED_ELEMENTS: readonly string[] = [
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'svg',
  'math',
  'title',
  'textarea',
  'select',
  'option',
  'datalist',
  'xmp',
  'plaintext',
  'object',
  'embed',
  'applet',
  'canvas',
  'audio',
  'video',
  'frameset',
  'listing'
]

/** Allowed schemes of links; sources of images and frames are limited further. */
export const LINK_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Allowed hosts of frames, before their URL is rewritten to the one without cookies. */
export const FRAME_HOSTS: readonly string[] = [
  'www.youtube.com',
  'youtube.com',
  'm.youtube.com',
  'youtu.be',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
  'player.vimeo.com',
  'vimeo.com'
]

const integerBetween = (least: number, most: number) => (value: string) =>
  /^-?\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most
const oneOf =
  (...words: string[]) =>
  (value: string) =>
    words.includes(value)
const isEmpty = (value: string) => value === ''

/**
 * Checks of attribute values. Attributes without a check are validated where their element is
 * built, or are plain text.
 */
export const VALUE_CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  dir: oneOf('ltr', 'rtl', 'auto'),
  lang: (value) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/.test(value),
  'aria-hidden': oneOf('true', 'false'),
  hreflang: (value) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/.test(value),
  span: integerBetween(1, 1000),
  colspan: integerBetween(1, 1000),
  rowspan: integerBetween(1, 1000),
  start: integerBetween(-99_999, 99_999),
  value: integerBetween(-99_999, 99_999),
  scope: oneOf('row', 'col', 'rowgroup', 'colgroup'),
  type: (value) => /^([1aAiI]|checkbox|image\/[a-z0-9.+-]{1,40})$/.test(value),
  reversed: isEmpty,
  open: isEmpty,
  datetime: (value) => /^[\w:.+\- ]{1,40}$/.test(value),
  media: (value) => /^[\w\s():,.<>=-]{1,200}$/.test(value),
  sizes: (value) => /^[\w\s():,.<>=%*+/-]{1,300}$/.test(value),
  width: integerBetween(1, 20_000),
  height: integerBetween(1, 20_000)
}

/** Block elements: they end the paragraph before them. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set([
  'blockquote',
  'caption',
  'dd',
  'details',
  'div',
  'dl',
  'dt',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  'section',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'ul',
  'iframe'
])
