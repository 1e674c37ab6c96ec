/**
 * The rules of the theme that no setting changes. A rule has the form `.svc-blog :where(h2)`: it is
 * stronger than any reset of the page by element or `*`, in a cascade layer or not, and weaker than
 * `.article h2`. It sets everything that resets take away, and leaves fonts and text colors to the
 * page. Rules for the theme's own classes have two classes: no page has a rule for these. So has the
 * one for table rows, because striped rows of a page have the colors of that page.
 *
 * No declaration of a rule is replaced by another of the same rule, so that the visual check can
 * verify each. The hint that a box scrolls has no effect on a box that does not, and none at the end
 * of its animation, because the visual check ends animations.
 *
 * The first rule contains layout, painting, counters and anchors, so that the author's CSS has no
 * effect outside of the article. Its ids make it stronger than accidental rules of the page.
 */
export const RULES = minify(`
.svc-blog[data-svc-blog]:not(#svc#svc#svc) { contain: layout paint style !important;
  overflow: clip !important; isolation: isolate !important; anchor-scope: all !important; }
.svc-blog { position: relative; min-width: 0; line-height: var(--svc-line-height, 1.65);
  overflow-wrap: break-word; word-break: normal; white-space: normal; text-align: start; text-wrap: pretty;
  quotes: auto; --_svc-space: var(--svc-space, 1.25em); --_svc-radius: var(--svc-radius, .375em); }

.svc-blog :where(p, ul, ol, dl, blockquote, pre, figure, details, .svc-table, .svc-footnotes, .svc-video) {
  display: block; margin: 0 0 var(--_svc-space); }
.svc-blog :where(p, dl, figure, details) { padding: 0; }
.svc-blog :where(h2, h3, h4) { display: block; line-height: 1.25; font-weight: var(--svc-heading-weight, 700);
  margin: 1.8em 0 .6em; padding: 0; scroll-margin-top: 5rem; text-wrap: balance; }
.svc-blog :where(h2) { font-size: var(--svc-h2-size, 1.6em); }
.svc-blog :where(h3) { font-size: var(--svc-h3-size, 1.3em); }
.svc-blog :where(h4) { font-size: var(--svc-h4-size, 1.1em); }

.svc-blog :where(ul, ol) { padding-block: 0; padding-inline: 1.6em 0; list-style: disc outside; }
.svc-blog :where(ul ul) { list-style-type: circle; }
.svc-blog :where(ul ul ul) { list-style-type: square; }
.svc-blog :where(ol) { padding-inline: 2em 0; list-style-type: decimal; }
.svc-blog .svc-lower-alpha { list-style-type: lower-alpha; }
.svc-blog .svc-upper-alpha { list-style-type: upper-alpha; }
.svc-blog .svc-lower-roman { list-style-type: lower-roman; }
.svc-blog .svc-upper-roman { list-style-type: upper-roman; }
.svc-blog .svc-wide-markers { padding-inline: 3.5em 0; }
.svc-blog :where(li) { display: list-item; list-style: inherit; margin: .3em 0; padding: 0; }
.svc-blog :where(li, blockquote, cite)::before { content: none; }
.svc-blog :where(dt) { font-weight: 700; }
.svc-blog :where(dd) { margin-block: 0 .6em; margin-inline: 1.6em 0; padding: 0; }
.svc-blog .svc-task-item { list-style: none; }
.svc-blog .svc-task { appearance: auto; position: static; display: inline-block; width: 1em; height: 1em;
  margin-block: 0; margin-inline: -1.5em .25em; padding: 0; vertical-align: -.125em; opacity: 1; }

.svc-blog :where(a) { text-decoration: underline; text-underline-offset: .15em; }
.svc-blog :where(a:focus-visible, [tabindex]:focus-visible) { outline: 2px solid currentColor;
  outline-offset: -2px; }
.svc-blog :where(strong, b) { font-weight: 700; }
.svc-blog :where(em, i, cite, dfn, var) { display: inline; font-size: inherit; font-style: italic; }
.svc-blog :where(s, del) { text-decoration: line-through; }
.svc-blog :where(u, ins) { text-decoration: underline; }
.svc-blog :where(abbr[title]) { text-decoration: underline dotted; cursor: help; }
.svc-blog :where(q) { display: inline; margin: 0; padding: 0; border: 0; background: none; font-style: inherit; }
.svc-blog :where(q)::before { content: open-quote; }
.svc-blog :where(q)::after { content: close-quote; }
.svc-blog :where(sub, sup) { position: static; line-height: 0; font-size: .75em; vertical-align: sub; }
.svc-blog :where(sup) { vertical-align: super; }
.svc-blog :where(rt) { font-size: .5em; }
.svc-blog :where(mark) { background-color: var(--_svc-mark); color: inherit; padding: 0 .1em; }
.svc-blog :where(small, figcaption, caption) { font-size: .875em; }
.svc-blog :where(figcaption, caption, .svc-footnotes, small) { color: var(--_svc-muted); }

.svc-blog :where(blockquote) { padding-block: 0; padding-inline: 1em 0; border-block: 0; border-inline-end: 0;
  border-inline-start: .25em solid var(--_svc-line); background: none; }
.svc-blog :where(blockquote, blockquote p, blockquote li, blockquote cite) { color: inherit; }
.svc-blog :where(hr) { display: block; width: auto; max-width: none; height: 0; margin: 2.5em 0; border-width: 1px 0 0;
  border-style: solid; border-color: var(--_svc-line); background: none; opacity: 1; overflow: visible; }
.svc-blog :where(details) { border: 0; }
.svc-blog :where(summary) { display: list-item; list-style: disclosure-closed inside; cursor: pointer;
  font-weight: 700; margin: 0; padding: 0; color: inherit; }
.svc-blog :where(details[open] > summary) { list-style-type: disclosure-open; margin-bottom: .4em; }
.svc-blog :where(summary)::after { content: none; }

.svc-blog :where(img) { display: inline-block; max-width: 100%; height: auto; margin: 0; vertical-align: middle; }
.svc-blog :where(figure) { text-align: center; }
.svc-blog :where(figure > img, figure > a > img, figure > picture > img) { display: block; margin-inline: auto; }
.svc-blog :where(figcaption) { display: block; margin: .6em 0 0; padding: 0; }
.svc-blog .svc-video { width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0; }

.svc-blog :where(code, kbd, samp, pre) {
  font-family: var(--svc-code-font, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
  border: 0; border-radius: var(--_svc-radius); background-color: var(--_svc-code-background);
  color: var(--_svc-code-text); }
.svc-blog :where(code, kbd, samp) { display: inline; white-space: inherit; font-size: .9em; font-weight: inherit;
  padding: .15em .35em; }
.svc-blog :where(code, kbd, samp, pre) { direction: ltr; unicode-bidi: isolate; }
.svc-blog :where(kbd) { border: 1px solid var(--_svc-line); }
.svc-blog :where(a code) { background: none; padding: 0; color: inherit; }
.svc-blog :where(pre) { max-width: 100%; padding: 1em; overflow: auto hidden; font-size: .9em;
  line-height: 1.5; text-align: left; white-space: pre; overflow-wrap: normal; tab-size: 2; }
.svc-blog :where(pre code, pre samp, pre kbd) { display: inline; margin: 0; padding: 0; border: 0;
  border-radius: 0; background: none; color: inherit; font-size: inherit; white-space: inherit;
  overflow: visible; overflow-wrap: normal; }

.svc-blog .svc-table { max-width: 100%; overflow: auto hidden; }
.svc-blog :where(table) { display: table; width: auto; min-width: 50%; max-width: none; margin: 0; border: 0;
  border-collapse: collapse; border-spacing: 0; background: none; }
.svc-blog :where(thead, tbody, tfoot, tr) { border: 0; background: none; }
.svc-blog .svc-table :where(tr) { background: none; }
.svc-blog :where(caption) { caption-side: top; padding: 0 0 .5em; text-align: start; }
.svc-blog :where(th, td) { border: 1px solid var(--_svc-line); padding: .5em .75em; background-color: transparent;
  color: inherit; font-weight: inherit; text-align: start; vertical-align: top; }
.svc-blog :where(th) { background-color: var(--_svc-tint); font-weight: 700; }
.svc-blog :where(th, mark) :where(a:any-link) { color: inherit; }
.svc-blog .svc-left { text-align: left; }
.svc-blog .svc-center { text-align: center; }
.svc-blog .svc-right { text-align: right; }
@keyframes svc--scroll-hint {
  0%, 92% { mask-image: linear-gradient(to left, #0004, #000 2em); mask-position: -2em 0; }
  100% { mask-image: linear-gradient(to left, #0004, #000 2em); mask-position: 0 0; }
}
@keyframes svc--scroll-hint-rtl {
  0%, 92% { mask-image: linear-gradient(to right, #0004, #000 2em); mask-position: 0 0; }
  100% { mask-image: linear-gradient(to right, #0004, #000 2em); mask-position: -2em 0; }
}
@supports (animation-timeline: scroll()) {
  @media screen {
    .svc-blog :where(.svc-table, pre) { mask-size: calc(100% + 2em) 100%; mask-repeat: no-repeat;
      animation: svc--scroll-hint linear both; animation-timeline: scroll(self inline); }
    .svc-blog :where(.svc-table:dir(rtl)) { animation-name: svc--scroll-hint-rtl; }
  }
}
@supports not (animation-timeline: scroll()) {
  @media screen and (max-width: 40em) {
    .svc-blog :where(.svc-table, pre)[tabindex] {
      box-shadow: inset -.6em 0 .6em -.6em color-mix(in srgb, currentColor 50%, transparent); }
  }
}
@media print {
  .svc-blog :where(pre) { white-space: pre-wrap; overflow: visible; }
}

.svc-blog .svc-footnotes { border-top: 1px solid var(--_svc-line); padding-top: 1em; font-size: .875em; }
.svc-blog .svc-footnote-ref a { padding: 0 .2em; text-decoration: none; }
.svc-blog .svc-footnote-back { text-decoration: none; }
.svc-blog :where(.svc-hl-comment, .svc-hl-quote, .svc-hl-meta, .svc-hl-doctag) {
  color: var(--_svc-code-comment); }
.svc-blog :where(.svc-hl-keyword, .svc-hl-operator, .svc-hl-selector-tag, .svc-hl-template-tag) {
  color: var(--_svc-code-keyword); }
.svc-blog :where(.svc-hl-string, .svc-hl-regexp, .svc-hl-char, .svc-hl-link, .svc-hl-meta-string) {
  color: var(--_svc-code-string); }
.svc-blog :where(.svc-hl-number, .svc-hl-literal, .svc-hl-symbol, .svc-hl-attr, .svc-hl-attribute,
  .svc-hl-selector-attr, .svc-hl-selector-pseudo, .svc-hl-selector-id, .svc-hl-selector-class) {
  color: var(--_svc-code-number); }
.svc-blog :where(.svc-hl-title, .svc-hl-section, .svc-hl-class, .svc-hl-function, .svc-hl-meta-keyword) {
  color: var(--_svc-code-title); }
.svc-blog :where(.svc-hl-name) { color: var(--_svc-code-tag); }
.svc-blog :where(.svc-hl-tag, .svc-hl-params, .svc-hl-property, .svc-hl-code, .svc-hl-formula, .svc-hl-punctuation,
  .svc-hl-subst) { color: inherit; }
.svc-blog :where(.svc-hl-built_in, .svc-hl-type, .svc-hl-variable, .svc-hl-template-variable, .svc-hl-bullet) {
  color: var(--_svc-code-type); }
.svc-blog :where(.svc-hl-addition) { background-color: var(--_svc-code-added); }
.svc-blog :where(.svc-hl-deletion) { background-color: var(--_svc-code-deleted); }
.svc-blog :where(.svc-hl-emphasis) { font-style: italic; }
.svc-blog :where(.svc-hl-strong, .svc-hl-section) { font-weight: 700; }

.svc-blog :where(:is(li, dd) > :is(ul, ol)) { margin: .3em 0; }
.svc-blog :where(:is(li, dd) > p:last-child, :is(blockquote, details, figure, td, th) > :last-child) {
  margin-bottom: 0; }
.svc-blog :where(.svc-blog > :first-child) { margin-top: 0; }
.svc-blog :where(.svc-blog > :last-child) { margin-bottom: 0; }
`)

/** Sufficient for the rules above, which contain no comments, and no strings with white space. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}
