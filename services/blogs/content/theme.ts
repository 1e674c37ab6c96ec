/**
 * The default theme: readable type, scrolling tables and code, light and dark by the reader's
 * preference. It inherits the font and text color of the page, has no reset, and is in its own
 * cascade layer, so that any rule of the page wins, except over the first rule: it contains layout,
 * painting, counters and anchors, so that the author's CSS has no effect outside of the article. Code
 * colors have a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
 */
export const THEME = minify(`
.svc-blog.svc-blog[data-svc-blog] { contain: layout paint style !important; overflow: clip !important;
  isolation: isolate !important; anchor-scope: all !important; }
.svc-blog {
  --svc-line: #d0d7de; --svc-soft: #f6f8fa; --svc-quiet: #57606a; --svc-link: #0b57d0; --svc-mark: #fff3bf;
  --svc-keyword: #a40e26; --svc-string: #0a3069; --svc-number: #0550ae; --svc-name: #6639ba;
    --svc-tag: #116329; --svc-built: #953800;
  --svc-add: #dafbe1; --svc-cut: #ffebe9; --svc-code: #1f2328;
  position: relative; min-width: 0; max-width: 48rem; line-height: 1.65; overflow-wrap: break-word;
    text-wrap: pretty;
}
@media (prefers-color-scheme: dark) {
  .svc-blog {
    --svc-line: #3d444d; --svc-soft: #161b22; --svc-quiet: #9198a1; --svc-link: #79b0ff; --svc-mark: #6b5600;
    --svc-keyword: #ff8b82; --svc-string: #a5d6ff; --svc-number: #79c0ff; --svc-name: #d2a8ff;
      --svc-tag: #7ee787; --svc-built: #ffa657;
    --svc-add: #12361f; --svc-cut: #4c1618; --svc-code: #e6edf3;
  }
}
.svc-blog :is(p, ul, ol, dl, blockquote, pre, figure, details, .svc-table, .svc-footnotes) {
  margin: 0 0 1.25em; }
.svc-blog :is(li, dd) > :is(ul, ol, p:last-child), .svc-blog :is(blockquote, details, figure, td,
  th) > :last-child { margin-bottom: 0; }
.svc-blog :is(h2, h3, h4) { line-height: 1.25; font-weight: 700; margin: 2em 0 .6em; scroll-margin-top: 5rem;
  text-wrap: balance; }
.svc-blog h2 { font-size: 1.6em; }
.svc-blog h3 { font-size: 1.3em; }
.svc-blog h4 { font-size: 1.1em; }
.svc-blog > :first-child { margin-top: 0; }
.svc-blog > :last-child { margin-bottom: 0; }
.svc-blog :is(ul, ol) { padding-inline-start: 1.6em; }
.svc-blog li { margin: .3em 0; }
.svc-blog dt { font-weight: 700; }
.svc-blog dd { margin: 0 0 .6em; margin-inline-start: 1.6em; }
.svc-blog a { color: var(--svc-link); text-decoration: underline; text-underline-offset: .15em; }
.svc-blog a:focus-visible { outline: 2px solid currentColor; outline-offset: -1px; }
.svc-blog img { max-width: 100%; height: auto; vertical-align: middle; }
.svc-blog figure { text-align: center; }
.svc-blog :is(figcaption, caption, small) { color: var(--svc-quiet); font-size: .875em; }
.svc-blog figcaption { margin-top: .6em; }
.svc-blog blockquote { padding-inline-start: 1em; border-inline-start: .25em solid var(--svc-line);
  color: var(--svc-quiet); }
.svc-blog hr { border: 0; border-top: 1px solid var(--svc-line); margin: 2.5em 0; }
.svc-blog mark { background: var(--svc-mark); color: inherit; }
.svc-blog summary { cursor: pointer; font-weight: 700; }
.svc-blog details[open] > summary { margin-bottom: .4em; }
.svc-blog :is(sub, sup) { line-height: 0; font-size: .75em; }
.svc-blog :is(code, kbd, samp) { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: .9em; background: var(--svc-soft); color: var(--svc-code); padding: .15em .35em;
  border-radius: 4px; }
.svc-blog kbd { border: 1px solid var(--svc-line); }
.svc-blog pre { background: var(--svc-soft); color: var(--svc-code); padding: 1em; border-radius: 6px;
  overflow-x: auto; line-height: 1.5; tab-size: 2; }
.svc-blog pre code { background: none; padding: 0; white-space: pre; overflow-wrap: normal; }
.svc-blog .svc-table { overflow-x: auto; max-width: 100%; }
.svc-blog table { border-collapse: collapse; min-width: 50%; }
.svc-blog :is(th, td) { border: 1px solid var(--svc-line); padding: .5em .75em; text-align: start;
  vertical-align: top; }
.svc-blog th { background: var(--svc-soft); font-weight: 700; }
.svc-blog .svc-left { text-align: left; }
.svc-blog .svc-center { text-align: center; }
.svc-blog .svc-right { text-align: right; }
.svc-blog .svc-video { display: block; width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0;
  margin: 0 0 1.25em; }
.svc-blog .svc-footnotes { border-top: 1px solid var(--svc-line); padding-top: 1em; font-size: .875em; }
.svc-blog .svc-footnote-ref a { padding: 0 .2em; text-decoration: none; }
.svc-blog .svc-footnote-back { text-decoration: none; }
.svc-blog :is(.svc-hl-comment, .svc-hl-quote, .svc-hl-meta, .svc-hl-doctag) { color: var(--svc-quiet); }
.svc-blog :is(.svc-hl-keyword, .svc-hl-operator, .svc-hl-selector-tag, .svc-hl-template-tag) {
  color: var(--svc-keyword); }
.svc-blog :is(.svc-hl-string, .svc-hl-regexp, .svc-hl-char, .svc-hl-link, .svc-hl-meta-string) {
  color: var(--svc-string); }
.svc-blog :is(.svc-hl-number, .svc-hl-literal, .svc-hl-symbol, .svc-hl-attr, .svc-hl-attribute,
  .svc-hl-selector-attr, .svc-hl-selector-pseudo, .svc-hl-selector-id, .svc-hl-selector-class) {
  color: var(--svc-number); }
.svc-blog :is(.svc-hl-title, .svc-hl-section, .svc-hl-class, .svc-hl-function, .svc-hl-meta-keyword) {
  color: var(--svc-name); }
.svc-blog :is(.svc-hl-tag, .svc-hl-name) { color: var(--svc-tag); }
.svc-blog :is(.svc-hl-built_in, .svc-hl-type, .svc-hl-variable, .svc-hl-template-variable, .svc-hl-params,
  .svc-hl-property, .svc-hl-bullet, .svc-hl-code, .svc-hl-formula, .svc-hl-punctuation, .svc-hl-subst) {
  color: inherit; }
.svc-blog :is(.svc-hl-built_in, .svc-hl-type, .svc-hl-variable, .svc-hl-template-variable, .svc-hl-bullet) {
  color: var(--svc-built); }
.svc-blog .svc-hl-addition { background: var(--svc-add); }
.svc-blog .svc-hl-deletion { background: var(--svc-cut); }
.svc-blog .svc-hl-emphasis { font-style: italic; }
.svc-blog :is(.svc-hl-strong, .svc-hl-section) { font-weight: 700; }
`)

/** Sufficient for the rules above, which contain no strings and no comments. */
function minify(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}
