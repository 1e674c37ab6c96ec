import { createRequire } from 'node:module'
import path from 'node:path'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import type { MarkdownIt } from 'markdown-it'
import type sanitizeHtml from 'sanitize-html'

/**
 * Parsers are loaded on first use: loading all takes more than 100 ms, and a server that only
 * serves reads needs none. `require` keeps rendering synchronous.
 */
const require = createRequire(import.meta.url)

function once<T>(load: () => T): () => T {
  let loaded: T | undefined
  return () => (loaded ??= load())
}

/** Languages of highlighted code; each includes its aliases (js, ts, sh, html, …). */
export const LANGUAGES = [
  'bash',
  'c',
  'csharp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'markdown',
  'php',
  'python',
  'ruby',
  'rust',
  'shell',
  'sql',
  'typescript',
  'xml',
  'yaml'
] as const

export const loadMarkdownIt = once(() => ({
  MarkdownIt: require('markdown-it') as typeof import('markdown-it').default,
  footnotes: require('markdown-it-footnote') as (md: MarkdownIt) => void
}))

export const loadSanitizeHtml = once(() => require('sanitize-html') as typeof sanitizeHtml)

export const loadParse5 = once(() => require('parse5') as typeof import('parse5'))

export const loadParserStream = once(
  () => (require('parse5-parser-stream') as typeof import('parse5-parser-stream')).ParserStream
)

/**
 * Only the used parts of css-tree: its lexer, with the data of every property, takes half of its
 * loading time.
 */
export const loadCssTree = once(() => {
  simplifyCssErrors()
  return loadCssParts()
})

const loadCssParts = () => ({
  parse: require('css-tree/parser') as typeof import('css-tree')['parse'],
  generate: require('css-tree/generator') as typeof import('css-tree')['generate'],
  walk: require('css-tree/walker') as typeof import('css-tree')['walk'],
  find: (require('css-tree/walker') as { find: typeof import('css-tree')['find'] }).find
})

/** What css-tree reports for a part that it cannot parse. Only the message is read. */
class CssError {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/**
 * Each error of css-tree splits the whole style sheet into lines, to show some of them: 10,000 errors in as many lines
 * took 3 seconds. It has no option for that.
 */
function simplifyCssErrors(): void {
  const file = path.join(path.dirname(require.resolve('css-tree/parser')), 'SyntaxError.cjs')
  const errors = require(file) as { SyntaxError: new (message: string) => { message: string } }
  errors.SyntaxError = CssError
}

export const loadHighlighter = once(() => {
  const highlighter = require('highlight.js/lib/core') as HLJSApi
  for (const language of LANGUAGES) {
    highlighter.registerLanguage(language, require(`highlight.js/lib/languages/${language}`) as LanguageFn)
  }
  highlighter.configure({ classPrefix: 'svc-hl-' })
  return highlighter
})

/** Loads all parsers. */
export function loadAll(): void {
  for (const load of [loadMarkdownIt, loadSanitizeHtml, loadParse5, loadCssTree, loadHighlighter]) load()
}
