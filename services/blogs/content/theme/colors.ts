import type { ArticleStyle } from '../../../../schemas/article-style.ts'

/** The colors of an article, by role. */
interface Palette {
  /** Null: the page's text color. */
  text: string | null
  /** Null: what is behind the article. */
  background: string | null
  line: string
  tint: string
  muted: string
  mark: string
  /** Null: the page's color of links. */
  link: string | null
  code: CodePalette
}

/** The colors of code, by the custom property `--svc-code-…`. */
interface CodePalette {
  text: string
  background: string
  comment: string
  keyword: string
  string: string
  number: string
  title: string
  tag: string
  type: string
  added: string
  deleted: string
}

const LIGHT: Palette = {
  text: '#1f2328',
  background: '#fff',
  line: '#d0d7de',
  tint: '#f6f8fa',
  muted: '#57606a',
  mark: '#fff3bf',
  link: '#0b57d0',
  code: {
    text: '#1f2328',
    background: '#f6f8fa',
    comment: '#57606a',
    keyword: '#a40e26',
    string: '#0a3069',
    number: '#0550ae',
    title: '#6639ba',
    tag: '#116329',
    type: '#953800',
    added: '#dafbe1',
    deleted: '#ffebe9'
  }
}

const DARK: Palette = {
  text: '#e6edf3',
  background: '#0d1117',
  line: '#3d444d',
  tint: '#161b22',
  muted: '#9198a1',
  mark: '#6b5600',
  link: '#79b0ff',
  code: {
    text: '#e6edf3',
    background: '#161b22',
    comment: '#9198a1',
    keyword: '#ff8b82',
    string: '#a5d6ff',
    number: '#79c0ff',
    title: '#d2a8ff',
    tag: '#7ee787',
    type: '#ffa657',
    added: '#12361f',
    deleted: '#4c1618'
  }
}

const fade = (percent: number, color = 'currentColor') => `color-mix(in srgb,${color} ${percent}%,transparent)`
/**
 * Mixes the text color with a color whose relative luminance is 0.18: it has a contrast of 4.5:1 to
 * both white and black. So the mixture is readable wherever the text is.
 */
const shade = (color: string) => `color-mix(in srgb,currentColor 60%,${color})`

const INHERIT: Palette = {
  text: null,
  background: null,
  line: fade(25),
  tint: fade(6),
  muted: fade(82),
  mark: fade(22, '#ffc400'),
  link: null,
  code: {
    text: 'inherit',
    background: fade(6),
    comment: fade(82),
    keyword: shade('#e32633'),
    string: shade('#0d7d9e'),
    number: shade('#1f70ed'),
    title: shade('#8a55ec'),
    tag: shade('#1c873b'),
    type: shade('#c75100'),
    added: fade(20, '#2da44e'),
    deleted: fade(18, '#cf222e')
  }
}

const either = (light: string, dark: string) => `light-dark(${light},${dark})`
const eitherCode = Object.fromEntries(
  Object.entries(LIGHT.code).map(([role, color]) => [role, either(color, DARK.code[role as keyof CodePalette])])
) as unknown as CodePalette

/** Light or dark by the page's `color-scheme`, not by the reader's system. */
const AUTO: Palette = {
  text: either(LIGHT.text!, DARK.text!),
  background: null,
  line: either(LIGHT.line, DARK.line),
  tint: either(LIGHT.tint, DARK.tint),
  muted: either(LIGHT.muted, DARK.muted),
  mark: either(LIGHT.mark, DARK.mark),
  link: either(LIGHT.link!, DARK.link!),
  code: eitherCode
}

const PALETTES: Readonly<Record<ArticleStyle['colorScheme'], Palette>> = {
  inherit: INHERIT,
  light: LIGHT,
  dark: DARK,
  auto: AUTO
}

/** The colors of highlighting that `plain` replaces by the text color. */
const HIGHLIGHTS = ['comment', 'keyword', 'string', 'number', 'title', 'tag', 'type'] as const

/**
 * Declares the private property `--_svc-…` that the theme's rules use, with the public property
 * `--svc-…` first, so that a page can set it on any element around the article.
 */
const property = (name: string, value: string) => `--_svc-${name}:var(--svc-${name},${value})`

const codeProperties = (code: CodePalette): string[] =>
  Object.entries(code).map(([role, color]) => property(`code-${role}`, color))

/**
 * A lighter variant of the project's accent color for dark pages. A custom property of the page
 * adapts by itself.
 */
function accent(accentColor: string, colorScheme: ArticleStyle['colorScheme']): string {
  return colorScheme === 'auto' && accentColor.startsWith('#')
    ? either(accentColor, `color-mix(in srgb,${accentColor} 50%,#fff)`)
    : accentColor
}

/** The rules that set the colors of an article: its custom properties, text color and color scheme. */
export function colorRules({ colorScheme, accentColor, codeTheme }: ArticleStyle): string {
  const { text, background, code, ...palette } = PALETTES[colorScheme]
  const link = accentColor === null ? palette.link : accent(accentColor, colorScheme)
  const isFixed = colorScheme === 'light' || colorScheme === 'dark'
  const wrapper = [
    ...(['line', 'tint', 'muted', 'mark'] as const).map((role) => property(role, palette[role])),
    ...(link === null ? [] : [property('link', link)]),
    ...codeProperties(code),
    ...(isFixed ? [`color-scheme:${colorScheme}`] : []),
    ...(text === null ? [] : [`color:var(--svc-text,${text})`]),
    ...(background === null ? [] : [`background-color:var(--svc-background,${background})`])
  ]
  return [
    `.svc-blog{${wrapper.join(';')}}`,
    // The page's own colors of paragraphs and headings are for the page's background.
    ...(text === null ? [] : ['.svc-blog :where(*){color:inherit}']),
    // Without specificity: any rule of the page for links wins over it, the browser's blue does not.
    link === null
      ? ':where(.svc-blog a:any-link){color:inherit}'
      : '.svc-blog :where(a:any-link){color:var(--_svc-link)}.svc-blog{accent-color:var(--_svc-link)}',
    codeThemeRule(codeTheme)
  ].join('')
}

/** Code blocks have their own colors unless their theme is `inherit`. */
function codeThemeRule(codeTheme: ArticleStyle['codeTheme']): string {
  if (codeTheme === 'inherit') return ''
  const declarations =
    codeTheme === 'plain'
      ? HIGHLIGHTS.map((role) => property(`code-${role}`, 'inherit'))
      : [...codeProperties(PALETTES[codeTheme].code), `color-scheme:${codeTheme}`]
  return `.svc-blog :where(pre){${declarations.join(';')}}`
}
