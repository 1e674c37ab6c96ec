import t from 'tap'
import { generate, parse, walk, type Selector } from 'css-tree'
import { CODE_THEMES, COLOR_SCHEMES, type ArticleStyle } from '../../../../schemas/article-style.ts'
import { deliverCss } from '../../../../services/blogs/content/index.ts'
import { fromMarkdown } from './inputs.ts'

/* eslint-disable no-template-curly-in-string */
const SAMPLES: Record<string, string> = {
  js: 'class A extends B { #x = /r/g; async f (a = 1) { return `t ${a} \\n` } } // c\nimport x from "y"; null; @dec',
  css: '@media (x:1){ a:hover, .b, #c, [d="e"]::before { color: red !important; --x: url(y) } }',
  html: '<!doctype html><!-- c --><a href="x">y &amp; z</a>',
  bash: '#!/bin/sh\nif [ -f x ]; then echo "$HOME" | grep y; fi # c',
  diff: '@@ -1 +1 @@\n-a\n+b',
  markdown: '# h\n*e* **s** [l](u)\n- b\n> q\n`c`',
  python: '@d\ndef f(x: int) -> str:\n  """doc"""\n  return f"{x}" if True else None',
  php: '<?php namespace A; class B { function c($d) { return "e $d"; } } ?>',
  java: '/** @param x y */ public final class A<T> { @Override int f(int x) { return 0x1F; } }',
  csharp: 'namespace A; public class B { string C => $"d{1}"; #region x\n}',
  rust: 'fn f<\'a>(x: &\'a str) -> Option<u8> { println!("{}", x); None }',
  go: 'package a\nfunc f(x int) (string, error) { return "y", nil }',
  sql: "SELECT count(*) FROM a WHERE b = 'c' AND d IS NULL -- e",
  yaml: 'a: &b\n  - "c"\n  - !!d 1\n# e',
  json: '{"a": [1, true, null, "b"]}',
  ini: '[a]\nb = "c" ; d',
  ruby: 'class A < B\n  attr :x\n  def f(y) = "z #{y}" =~ /r/ ? :s : nil\nend',
  typescript: 'interface A<T> { readonly x?: T } enum B { C } declare const d: unique symbol',
  c: "#include <stdio.h>\n#define A 1\nint main(void) { char c = 'x'; return 0; }",
  dockerfile: 'FROM a AS b\nRUN echo "c"\nENV D=e',
  shell: '$ echo a'
}

function classesOfTheme(): Set<string> {
  const classes = new Set<string>()
  walk(parse(deliverCss('')), (node) => {
    if (node.type === 'ClassSelector') classes.add(node.name)
  })
  return classes
}

t.test('the theme has a rule for every class that the service generates', async (t) => {
  const html =
    Object.entries(SAMPLES)
      .map(([language, code]) => fromMarkdown('```' + language + '\n' + code + '\n```').html)
      .join('') +
    fromMarkdown(
      '- [x] done\n\n|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n\nx[^1]\n\n[^1]: y\n\n<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>'
    ).html
  const used = new Set(
    Array.from(html.matchAll(/ class="([^"]*)"/g), ([, names = '']) => names.split(' '))
      .flat()
      .filter((name) => name.startsWith('svc-'))
  )
  t.ok(used.size > 30, `${used.size} classes`)
  const known = classesOfTheme()
  t.same(
    [...used].filter((name) => !known.has(name)),
    []
  )
})

/** The selectors of a style sheet, without those of keyframes. */
function selectorsOf(css: string): Selector[] {
  const selectors: Selector[] = []
  walk(parse(css, { onParseError: (error) => selectors.push(error as never) }), {
    visit: 'Selector',
    enter(node) {
      if (this.function === null && !/keyframes$/.test(this.atrule?.name ?? '')) selectors.push(node)
    }
  })
  return selectors
}

const STYLES: Partial<ArticleStyle>[] = [
  {},
  ...COLOR_SCHEMES.flatMap((colorScheme) => CODE_THEMES.map((codeTheme) => ({ colorScheme, codeTheme }))),
  { maxWidth: '46rem', accentColor: '#7b3f00', fontFamily: 'Inter, "Noto Serif", serif', borderRadius: '8px' },
  { colorScheme: 'auto', accentColor: '#7b3f00' },
  { accentColor: 'var(--brand)', fontFamily: 'var(--font)' }
]

t.test('the theme is scoped to the blog, without layers, for all settings', async (t) => {
  for (const style of STYLES) {
    const css = deliverCss('', undefined, style)
    const name = JSON.stringify(style)
    t.ok(css.length < 11_000, `${css.length} bytes: ${name}`)
    t.notMatch(css, /@layer|prefers-color-scheme|undefined|null/, name)
    const outside = selectorsOf(css)
      .map((selector) => generate(selector))
      .filter((selector) => !/^(?:\.svc-blog\b|:where\(\.svc-blog )/.test(selector))
    t.same(outside, [], name)
  }
})

t.test('rules for elements have the specificity of one class, so that any class of the page wins', async (t) => {
  const selectors = selectorsOf(
    deliverCss('', undefined, { fontFamily: 'Inter', colorScheme: 'auto', maxWidth: '9em' })
  )
  const strong = selectors
    .map((selector) => generate(selector))
    .filter(
      (selector) => !/^\.svc-blog(?: :where\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?:::?[\w-]+)?)?$/.test(selector)
    )
  // The containment, and rules for classes that only this theme has.
  t.same(
    strong.filter((selector) => !/^\.svc-blog \.svc-[\w-]+(?: a| :where\(tr\))?$/.test(selector)),
    [
      '.svc-blog[data-svc-blog]:not(#svc#svc#svc)',
      '.svc-blog :where(th,mark) :where(a:any-link)',
      '.svc-blog :where(.svc-table,pre)[tabindex]'
    ]
  )
})

t.test('settings change the theme', async (t) => {
  const css = (style: Partial<ArticleStyle>) => deliverCss('', undefined, style)
  t.notMatch(css({}), /max-width:\d+rem|light-dark|color-scheme|border-radius:var\(--svc-radius\)/)
  t.match(css({ maxWidth: '65ch' }), 'max-width:65ch')
  t.match(css({ colorScheme: 'light' }), 'color-scheme:light')
  t.match(css({ colorScheme: 'auto' }), 'light-dark(#1f2328,#e6edf3)')
  t.match(css({ accentColor: '#abc' }), 'var(--svc-link,#abc)')
  t.match(css({ accentColor: 'var(--brand)', colorScheme: 'auto' }), 'var(--svc-link,var(--brand))')
  t.match(
    css({ fontFamily: "Inter, 'Noto Sans', inherit, sans-serif" }),
    'font-family:"Inter","Noto Sans","inherit",sans-serif}'
  )
  t.match(css({ borderRadius: '8px' }), 'var(--svc-radius,8px)')
  t.match(css({ codeTheme: 'dark' }), '.svc-blog :where(pre){--_svc-code-text:var(--svc-code-text,#e6edf3)')
  t.match(css({ codeTheme: 'plain' }), '--_svc-code-keyword:var(--svc-code-keyword,inherit)')
  t.equal(css({ maxWidth: null, colorScheme: undefined }), css({}), 'null and undefined are the defaults')
})
