import t from 'tap'
import { parse, walk } from 'css-tree'
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
      '|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n\nx[^1]\n\n[^1]: y\n\n<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>'
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

t.test('the theme is scoped to the blog, in a layer, and smaller than 6 KB', async (t) => {
  const css = deliverCss('')
  t.ok(css.length < 6_000, `${css.length} bytes`)
  t.match(css, /^@layer svc-blog\{.*\}$/s)
  const outside: string[] = []
  walk(parse(css, { onParseError: (error) => outside.push(error.message) }), {
    visit: 'Selector',
    enter(node) {
      const first = node.children.first
      if (this.function === null && !(first?.type === 'ClassSelector' && first.name === 'svc-blog')) {
        outside.push(first?.type ?? 'nothing')
      }
    }
  })
  t.same(outside, [])
  t.match(css, 'prefers-color-scheme:dark')
})
