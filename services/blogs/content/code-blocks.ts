import { loadHighlighter } from './libraries.ts'
import { attributeOf, isText, parseInDiv, setChildren, textOf, type Element } from './tree.ts'

/**
 * Longer code is shown as it is: what highlighting costs grows with it, and nobody reads it for its
 * colors.
 */
const LONGEST_CODE = 20_000

/**
 * Colors `code` by classes when its class names a language that is known and it holds nothing but
 * text; leaves it alone otherwise.
 */
export function highlightCode(code: Element): void {
  const language = /(?:^|\s)language-([\w+#-]{1,30})/.exec(attributeOf(code, 'class') ?? '')?.[1]
  if (language === undefined || !code.childNodes.every(isText)) return
  const text = textOf(code)
  if (text.length === 0 || text.length > LONGEST_CODE || !loadHighlighter().getLanguage(language)) return
  const { value } = loadHighlighter().highlight(text, { language, ignoreIllegals: true })
  // A scope's second word (`title function_`) adds nothing that the theme would show.
  setChildren(code, parseInDiv(value.replaceAll(/class="(svc-hl-[\w-]+)[^"]*"/g, 'class="$1"')).childNodes)
}
