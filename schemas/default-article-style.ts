import type { ArticleStyle } from './article-style.ts'

/** The look of articles of a project without settings. */
export const DEFAULT_ARTICLE_STYLE: ArticleStyle = {
  colorScheme: 'inherit',
  maxWidth: null,
  accentColor: null,
  fontFamily: null,
  borderRadius: null,
  codeTheme: 'inherit'
}
