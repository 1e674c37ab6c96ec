import type { MarkdownIt } from 'markdown-it'
import { loadMarkdownIt } from './lazy-libraries.ts'
import { escapeQuotesInTags, matchTemplatedDestination, matchTemplatedOpenTag } from './template-tags.ts'

let kept: MarkdownIt | undefined

/**
 * CommonMark with GFM's tables, strikethrough and autolinks, footnotes, and raw HTML, to HTML. The
 * result is not safe: it is for the sanitizer.
 * Links of any scheme pass (so that the sanitizer can report them); nesting ends at markdown-it's
 * 100 levels.
 */
export function markdownToHtml(markdown: string): string {
  kept ??= createParser()
  return kept.render(markdown)
}

function createParser(): MarkdownIt {
  const { MarkdownIt, footnotes } = loadMarkdownIt()
  const md = new MarkdownIt({ html: true, linkify: true })
  md.use(footnotes)
  md.validateLink = () => true
  linkAsGfmDoes(md)
  nameFootnotes(md)
  alignCells(md)
  readTemplateTags(md)
  return md
}

/**
 * GFM links what starts with a scheme or `www.`, and addresses of mail; not every word with a dot
 * in it.
 */
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

/** Footnotes get ids and classes of ours, and no heading above them. */
function nameFootnotes(md: MarkdownIt): void {
  const { rules } = md.renderer
  const numberOf = (token: { meta?: unknown } | undefined) =>
    (token?.meta as { id: number; subId?: number } | undefined) ?? { id: 0 }
  rules.footnote_ref = (tokens, index) => {
    const { id, subId } = numberOf(tokens[index])
    return `<sup class="svc-footnote-ref"><a href="#svc-fn-${id + 1}" id="svc-fnref-${id + 1}${subId ? `-${subId}` : ''}">${id + 1}</a></sup>`
  }
  rules.footnote_block_open = () => '<section class="svc-footnotes">\n<ol>\n'
  rules.footnote_block_close = () => '</ol>\n</section>\n'
  rules.footnote_open = (tokens, index) => `<li id="svc-fn-${numberOf(tokens[index]).id + 1}">`
  rules.footnote_anchor = (tokens, index) => {
    const { id, subId } = numberOf(tokens[index])
    return ` <a href="#svc-fnref-${id + 1}${subId ? `-${subId}` : ''}" class="svc-footnote-back" aria-label="↩ ${id + 1}">↩\uFE0E</a>`
  }
}

/** A column's alignment as a class: style attributes are not kept. */
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

/**
 * Template tags of other systems in targets and attributes are read as part of them, so that they
 * can be reported and left out.
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
