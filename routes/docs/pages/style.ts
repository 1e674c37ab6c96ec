/**
 * The pages' style sheet: system fonts, light and dark by the reader's own setting, one column on a
 * phone.
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #14181a); --raised: light-dark(#f5f7f6, #1c2224); --line: light-dark(#dce2e0, #30393b);
  --ink: light-dark(#1b2426, #e4eae8); --quiet: light-dark(#586668, #9aa9a8); --accent: light-dark(#0f6e62, #5fc9b8);
  --get: light-dark(#0b6b57, #64cfb4); --post: light-dark(#1f5fae, #83b6f2); --patch: light-dark(#8a5a00, #e5b95c); --delete: light-dark(#b3261e, #ff9d93);
}
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px }
code, pre { font: .875em/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--paper); padding: .5rem }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem clamp(1rem, 3vw, 2rem); background: var(--paper); border-bottom: 1px solid var(--line) }
.top nav { display: flex; gap: 1.25rem; margin-left: auto } .top a { text-decoration: none } .top a:hover { text-decoration: underline }
.brand { font-weight: 650; color: var(--ink) }
.wide { display: grid; grid-template-columns: 18rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto }
.narrow { max-width: 46rem; margin: 0 auto }
aside { position: sticky; top: 3.2rem; align-self: start; height: calc(100vh - 3.2rem); overflow-y: auto; padding: 1.5rem 1rem 3rem clamp(1rem, 3vw, 2rem); border-right: 1px solid var(--line) }
.fold { display: none }
.nav, .nav ul { list-style: none; margin: 0; padding: 0 } .nav > li { margin-bottom: 1rem }
.nav a { display: flex; gap: .5rem; padding: .2rem 0; color: var(--ink); text-decoration: none; font-size: .875rem; line-height: 1.4 } .nav a:hover { color: var(--accent) }
.nav .group { font-weight: 650 }
main { padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; min-width: 0 }
h1 { font-size: clamp(1.75rem, 4vw, 2.4rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .5rem; text-wrap: balance }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 3.5rem 0 .25rem }
h3 { font-size: 1.1rem; margin: 2rem 0 .25rem } h4 { font-size: .875rem; margin: 1.25rem 0 .35rem }
p { margin: .5rem 0 } .lead { font-size: 1.06rem } .quiet { color: var(--quiet); font-weight: 400 } h4 .quiet, summary .quiet { font-size: .875rem }
.guide { max-width: 46rem } .guide code, p code, td code, dd code { background: var(--raised); padding: .1em .3em; border-radius: 4px }
.operation, .shape { padding: .25rem 0 1.75rem; border-bottom: 1px solid var(--line) }
.operation > h3 a { color: inherit; text-decoration: none } .operation > p { max-width: 46rem }
.line { display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: center } .line code { font-size: .95em; background: none; padding: 0 }
.m { flex: none; width: 4.6em; white-space: nowrap; font: 650 .72rem/1.6 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-transform: uppercase; color: var(--quiet) }
.get { color: var(--get) } .post { color: var(--post) } .patch, .put { color: var(--patch) } .delete { color: var(--delete) }
.line .m { width: auto; padding: .1em .6em; border: 1px solid currentColor; border-radius: 4px; font-size: .8rem }
.pill { font-size: .8rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 99px; padding: .05rem .65rem }
pre { margin: .5rem 0; padding: .85rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 28rem; overflow-wrap: normal }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .875rem }
th { text-align: left; font-weight: 600; color: var(--quiet) } th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td:first-child { width: 30% } td:nth-child(2) { width: 22% } .must { color: var(--delete); margin-left: .15rem; font-weight: 700 }
details { margin: .25rem 0 } summary { cursor: pointer; padding: .2rem 0 }
.status { font: 650 .8rem/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; padding: .1rem .45rem; border-radius: 4px; border: 1px solid currentColor; color: var(--quiet) }
.s2 { color: var(--get) } .s4 { color: var(--patch) } .s5 { color: var(--delete) }
.headers { font-size: .8rem; color: var(--quiet) } .codes { display: grid; grid-template-columns: 14rem 1fr; gap: .35rem 1.5rem; margin: .75rem 0 } .codes dd { margin: 0 }
@media (max-width: 60rem) {
  html { scroll-padding-top: 6rem } .wide { display: block } aside { display: none }
  .fold { display: block; margin: 0; padding: .6rem 1rem; border-bottom: 1px solid var(--line) } .fold summary { font-weight: 600 } .fold .nav { padding: .75rem 0 }
  .nav a { padding: .45rem 0 } .top nav { margin-left: 0 }
  table, tbody, tr, td { display: block; width: auto } thead { display: none } tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
  td, td:first-child, td:nth-child(2) { display: inline; width: auto; padding: 0; border: 0 } td:nth-child(2) { margin-left: .75rem; color: var(--quiet) } td:nth-child(3) { display: block }
  .codes { grid-template-columns: 1fr; gap: 0 } .codes dd { margin-bottom: .75rem }
}
@media print { .top, aside, .fold { display: none } .wide { display: block } }
`
