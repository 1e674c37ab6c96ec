import type { MarkdownIt, Token } from 'markdown-it'
import { moveFootnotes, nameFootnotes } from './footnotes.ts'
import { loadMarkdownIt } from './lazy-libraries.ts'
import { escapeQuotesInTags, matchTemplatedDestination, matchTemplatedOpenTag } from './template-tags.ts'

let parser: MarkdownIt | undefined

/**
 * Converts CommonMark with GFM tables, strikethrough and autolinks, footnotes, task lists and raw HTML. The
 * result is unsafe: it must be sanitized. Links of any scheme pass, so that the sanitizer can
 * report them; nesting ends at the 100 levels of markdown-it.
 */
export function markdownToHtml(markdown: string): string {
  parser ??= createParser()
  return parser.render(markdown)
}

function createParser(): MarkdownIt {
  const { MarkdownIt, footnotes } = loadMarkdownIt()
  const md = new MarkdownIt({ html: true, linkify: true })
  md.use(footnotes)
  md.validateLink = () => true
  linkAsGfmDoes(md)
  nameFootnotes(md)
  moveFootnotes(md)
  limitReferences(md)
  alignCells(md)
  readTemplateTags(md)
  readTaskLists(md)
  return md
}

/** Like GFM, links text with a scheme or `www.`, and email addresses; not every word with a dot. */
function linkAsGfmDoes(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  md.linkify.add('www.', {
    validate: (text: string, position: number) =>
      /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,24}(?:\/[^\s<>"'()]{0,500}[^\s<>"'().,;:!?])?/i.exec(
        text.slice(position, position + 800)
      )?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `https://${match.url}`
    }
  })
}

/**
 * The message of the error if the addresses and titles of the links have more characters than allowed: each reference
 * repeats those of its definition. 32,000 characters became 64 million.
 */
export const TOO_LONG_LINKS = 'The links are too long'
/** Allowed for any text, as in cmark, and for each character of it. An encoded one has up to nine. */
const LINKS_LENGTH = 100_000
const LINKS_LENGTH_OF_CHARACTER = 10

/** Throws a RangeError if references repeat long definitions. The words of the links do not count. */
function limitReferences(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'limit_references', (state) => {
    let allowed = LINKS_LENGTH + LINKS_LENGTH_OF_CHARACTER * state.src.length
    for (const { children } of state.tokens) {
      for (const token of children ?? []) allowed -= lengthOfTarget(token)
      if (allowed < 0) throw new RangeError(TOO_LONG_LINKS)
    }
  })
}

const lengthOfTarget = ({ type, attrs }: Token): number =>
  type === 'link_open' || type === 'image'
    ? (attrs ?? []).reduce((length, [, value]) => length + String(value).length, 0)
    : 0

/** Column alignment as a class, because style attributes are removed. */
function alignCells(md: MarkdownIt): void {
  for (const rule of ['th_open', 'td_open']) {
    md.renderer.rules[rule] = (tokens, index, ...[options, , self]) => {
      const token = tokens[index]
      const side = /text-align:\s*(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1]
      if (token && side) token.attrs = [['class', `svc-${side}`]]
      return self.renderToken(tokens, index, options)
    }
  }
}

/** Task lists as in GFM: a list item that starts with `[ ]` or `[x]`. */
function readTaskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', (state) => {
    for (const [index, { type, children }] of state.tokens.entries()) {
      const first = children?.[0]
      const startsItem =
        type === 'inline' &&
        state.tokens[index - 1]?.type === 'paragraph_open' &&
        state.tokens[index - 2]?.type === 'list_item_open'
      const mark = startsItem && first?.type === 'text' ? /^\[([ xX])\]\s/.exec(first.content) : null
      if (!mark || !first) continue
      first.content = first.content.slice(mark[0].length - 1)
      const checkbox = new state.Token('html_inline', '', 0)
      checkbox.content = `<input type="checkbox" disabled${mark[1] === ' ' ? '' : ' checked'}>`
      children.unshift(checkbox)
    }
  })
}

/**
 * Reads template tags of other systems as parts of link targets and attributes, so that they are
 * reported and removed.
 */
function readTemplateTags(md: MarkdownIt): void {
  const plain = md.helpers.parseLinkDestination
  md.helpers.parseLinkDestination = (text, start, end) => {
    const str = matchTemplatedDestination(text, start, end)
    return str === null ? plain(text, start, end) : { ok: true, pos: start + str.length, str }
  }
  md.renderer.rules.html_block = (tokens, index) => escapeQuotesInTags(tokens[index]?.content ?? '')
  md.inline.ruler.before('html_inline', 'templated_tag', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x3c) return false
    const tag = matchTemplatedOpenTag(state.src, state.pos)
    if (tag === null) return false
    if (!silent) state.push('html_inline', '', 0).content = escapeQuotesInTags(tag)
    state.pos += tag.length
    return true
  })
}
