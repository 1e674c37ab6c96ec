import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** A footnote in the order of its first reference. Inline ones have tokens, others a label and the references. */
interface Footnote {
  label?: string
  count?: number
  content?: string
  tokens?: Token[]
}

/** Footnotes get our ids and classes, and no heading. */
export function nameFootnotes(md: MarkdownIt): void {
  const { rules } = md.renderer
  const numberOf = (token: { meta?: unknown } | undefined) =>
    (token?.meta as { id: number; subId?: number } | undefined) ?? { id: 0 }
  rules.footnote_ref = (tokens, index) => {
    const { id, subId } = numberOf(tokens[index])
    const reference = `svc-fnref-${id + 1}${subId ? `-${subId}` : ''}`
    return `<sup class="svc-footnote-ref"><a href="#svc-fn-${id + 1}" id="${reference}">${id + 1}</a></sup>`
  }
  rules.footnote_block_open = () => '<section class="svc-footnotes">\n<ol>\n'
  rules.footnote_block_close = () => '</ol>\n</section>\n'
  rules.footnote_open = (tokens, index) => `<li id="svc-fn-${numberOf(tokens[index]).id + 1}">`
  rules.footnote_anchor = (tokens, index) => {
    const { id, subId } = numberOf(tokens[index])
    const reference = `svc-fnref-${id + 1}${subId ? `-${subId}` : ''}`
    return ` <a href="#${reference}" class="svc-footnote-back" aria-label="↩ ${id + 1}">↩\uFE0E</a>`
  }
}

/**
 * Moves the footnotes to the end, as the rule of the package does that it replaces. That one copies all tokens of the
 * text for each footnote: 8,000 of them took 3 seconds.
 */
export function moveFootnotes(md: MarkdownIt): void {
  md.core.ruler.at('footnote_tail', (state) => {
    const { footnotes } = state.env as { footnotes?: { list?: Footnote[] } }
    if (footnotes === undefined) return
    const { text, definitions } = takeDefinitions(state.tokens)
    state.tokens = text
    if (footnotes.list === undefined) return
    text.push(new state.Token('footnote_block_open', '', 1))
    for (const [id, footnote] of footnotes.list.entries()) addFootnote(state, { id, footnote, definitions })
    text.push(new state.Token('footnote_block_close', '', -1))
  })
}

/** Divides the tokens into those of the text, and those of each footnote by its label. */
function takeDefinitions(tokens: Token[]): { text: Token[]; definitions: Map<string, Token[]> } {
  const text: Token[] = []
  const definitions = new Map<string, Token[]>()
  let definition: Token[] | null = null
  let label = ''
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      definition = []
      label = (token.meta as { label: string }).label
    } else if (token.type === 'footnote_reference_close') {
      // A footnote in a footnote ends both.
      if (definition !== null) definitions.set(label, definition)
      definition = null
    } else (definition ?? text).push(token)
  }
  return { text, definitions }
}

function addFootnote(
  { tokens, Token }: StateCore,
  { id, footnote, definitions }: { id: number; footnote: Footnote; definitions: Map<string, Token[]> }
): void {
  const { label = '' } = footnote
  // Not a number for an inline footnote that refers to another one.
  const count = footnote.count || 1
  const add = (type: string, tag: string, nesting: -1 | 0 | 1): Token => {
    const token = new Token(type, tag, nesting)
    tokens.push(token)
    return token
  }
  add('footnote_open', '', 1).meta = { id, label }
  if (footnote.tokens) {
    add('paragraph_open', 'p', 1).block = true
    Object.assign(add('inline', '', 0), { children: footnote.tokens, content: footnote.content })
    add('paragraph_close', 'p', -1).block = true
  } else for (const token of definitions.get(label) ?? []) tokens.push(token)
  // The links back are the end of the last paragraph.
  const paragraphEnd = tokens.at(-1)?.type === 'paragraph_close' ? tokens.pop() : undefined
  for (let subId = 0; subId < count; subId++) {
    add('footnote_anchor', '', 0).meta = { id, subId, label }
  }
  if (paragraphEnd) tokens.push(paragraphEnd)
  add('footnote_close', '', -1)
}
