import { Type, type SchemaOptions, type Static, type TProperties } from '@sinclair/typebox'
import { Nullable, OneOf } from './fields.ts'

export const COLOR_SCHEMES = ['inherit', 'light', 'dark', 'auto'] as const
export const CODE_THEMES = ['inherit', 'light', 'dark', 'plain'] as const

/**
 * Patterns of the settings that become CSS values. They allow no character that could end a
 * declaration, other than in `var(--name)`.
 */
const VARIABLE = 'var\\(--[A-Za-z0-9_-]{1,60}\\)'
const COLOR = `#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})|${VARIABLE}`
const WIDTH = '[1-9][0-9]{0,3}(\\.[0-9]{1,2})?(px|rem|em|ch)'
const RADIUS = '0|[0-9]{1,2}(\\.[0-9]{1,2})?(px|rem|em)'
const NAME = '[\\p{L}][\\p{L}\\p{N} _-]{0,59}'
const FAMILY = `(${VARIABLE}|${NAME}|"${NAME}"|'${NAME}')`
const FAMILIES = `${FAMILY}( ?, ?${FAMILY}){0,9}`

/** The patterns of the settings, without anchors. */
export const STYLE_PATTERNS = { width: WIDTH, color: COLOR, families: FAMILIES, radius: RADIUS } as const

const text = (pattern: string, options: SchemaOptions = {}) =>
  Type.String({ pattern: `^(${pattern})$`, maxLength: 300, ...options })

const descriptions = {
  colorScheme:
    "The colors of articles. `inherit`: the page's text color, and tints of it. `light`, `dark`: fixed colors, " +
    "whatever the page. `auto`: light or dark by the page's CSS property `color-scheme`. Default: inherit",
  maxWidth: 'The maximum width of articles, such as `48rem`, `720px` or `65ch`. Default: null, the width of the column',
  accentColor:
    'The color of links: `#rrggbb`, `#rgb`, or a custom property of the page such as `var(--brand)`. ' +
    "Default: null, the page's color of links",
  fontFamily:
    "Font families separated by commas, such as `Inter, system-ui, sans-serif`. Default: null, the page's font",
  borderRadius: 'The radius of the corners of images, videos and code, such as `8px`. Default: null',
  codeTheme: "The colors of code blocks. `inherit`: the article's. `plain`: without highlighting. Default: inherit"
}

const fields = {
  colorScheme: OneOf(COLOR_SCHEMES, { description: descriptions.colorScheme }),
  maxWidth: Nullable(text(WIDTH), { description: descriptions.maxWidth }),
  accentColor: Nullable(text(COLOR), { description: descriptions.accentColor }),
  fontFamily: Nullable(text(FAMILIES), { description: descriptions.fontFamily }),
  borderRadius: Nullable(text(RADIUS), { description: descriptions.borderRadius }),
  codeTheme: OneOf(CODE_THEMES, { description: descriptions.codeTheme })
} satisfies TProperties

/** The settings of a project for the look of its articles. */
export const ArticleStyle = Type.Object(fields)
export type ArticleStyle = Static<typeof ArticleStyle>

/** The same settings in a query string, for previews. An empty value means null. */
export const articleStyleQuery = {
  colorScheme: Type.Optional(OneOf(COLOR_SCHEMES, { description: descriptions.colorScheme })),
  maxWidth: Type.Optional(text(`${WIDTH}|`, { description: descriptions.maxWidth })),
  accentColor: Type.Optional(text(`${COLOR}|`, { description: descriptions.accentColor })),
  fontFamily: Type.Optional(text(`${FAMILIES}|`, { description: descriptions.fontFamily })),
  borderRadius: Type.Optional(text(`${RADIUS}|`, { description: descriptions.borderRadius })),
  codeTheme: Type.Optional(OneOf(CODE_THEMES, { description: descriptions.codeTheme }))
} satisfies TProperties
