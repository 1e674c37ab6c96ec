import { LRUCache } from 'lru-cache'
import type { ArticleStyle } from '../../../../schemas/article-style.ts'
import { DEFAULT_ARTICLE_STYLE } from '../../../../schemas/default-article-style.ts'
import { colorRules } from './colors.ts'
import { RULES } from './rules.ts'

const GENERIC_FAMILIES: ReadonlySet<string> = new Set([
  'serif',
  'sans-serif',
  'monospace',
  'cursive',
  'fantasy',
  'system-ui',
  'ui-serif',
  'ui-sans-serif',
  'ui-monospace',
  'ui-rounded',
  'math',
  'emoji'
])

/** By the settings. All articles of a project have the same theme. */
const themes = new LRUCache<string, string>({ max: 200 })

/**
 * The style sheet for the settings of a project, which must match their schema
 * (schemas/article-style.ts). Omitted settings have their default.
 */
export function themeCss(settings: Partial<ArticleStyle> = {}): string {
  const style = resolveStyle(settings)
  const key = JSON.stringify(style)
  const cached = themes.get(key)
  if (cached !== undefined) return cached
  const css = colorRules(style) + RULES + shapeRules(style)
  themes.set(key, css)
  return css
}

/** The settings with defaults, and nothing else. Projects from before a setting existed do not have it. */
export function resolveStyle(settings: Partial<ArticleStyle>): ArticleStyle {
  const { colorScheme, maxWidth, accentColor, fontFamily, borderRadius, codeTheme } = settings
  const given = Object.entries({ colorScheme, maxWidth, accentColor, fontFamily, borderRadius, codeTheme })
  return { ...DEFAULT_ARTICLE_STYLE, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

/** Width, font and corners. Without settings, the page's column and font apply. */
function shapeRules({ maxWidth, fontFamily, borderRadius }: ArticleStyle): string {
  const rules: string[] = []
  if (maxWidth !== null) {
    rules.push(`.svc-blog{box-sizing:border-box;width:100%;max-width:${maxWidth};margin-inline:auto}`)
  }
  if (fontFamily !== null) {
    // Inside of code, the font is inherited from the code element.
    const isText = ':not(code,kbd,samp,pre,:is(code,pre) *)'
    rules.push(
      `.svc-blog{font-family:${serializeFamilies(fontFamily)}}.svc-blog :where(${isText}){font-family:inherit}`
    )
  }
  if (borderRadius !== null) {
    rules.push(`.svc-blog{--_svc-radius:var(--svc-radius,${borderRadius})}`)
    rules.push('.svc-blog :where(img,.svc-video){border-radius:var(--_svc-radius)}')
  }
  return rules.join('')
}

/** Quotes the names of families, so that words such as `inherit` are names as well. */
const serializeFamilies = (families: string): string =>
  families
    .split(',')
    .map((family) => family.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .map((family) => (family.startsWith('var(') || GENERIC_FAMILIES.has(family) ? family : `"${family}"`))
    .join(',')
