import t from 'tap'
import { deliverCss, ORIGIN, scopeCss } from '../../../../services/blogs/content/index.ts'
import { BLOG_ID, createInput, PUBLIC_URL } from './inputs.ts'

const options = { ...createInput(''), blogId: BLOG_ID }

function scoped(css: string): string {
  const once = scopeCss(css, options, () => {})
  if (scopeCss(once, options, () => {}) !== once) throw new Error(`scoping ${css} again changes it`)
  return once
}

const FORBIDDEN = new RegExp(
  'fixed|sticky|url|image-set|expression|behavior|binding|attr|isolation|z-index|progid|--x|src|' +
    '(?<!\\.svc-blog )body',
  'i'
)

t.test('every selector is scoped to the blog', async (t) => {
  const pairs: [string, string][] = [
    ['p', '.svc-blog p'],
    ['*', '.svc-blog *'],
    ['h1,a>b', '.svc-blog h1,.svc-blog a>b'],
    ['html', '.svc-blog'],
    ['body', '.svc-blog'],
    [':root', '.svc-blog'],
    ['html body .x', '.svc-blog .x'],
    ['body>p', '.svc-blog>p'],
    ['.svc-blog p', '.svc-blog p'],
    ['div.svc-blog', 'div.svc-blog'],
    ['body:hover p', '.svc-blog:hover p'],
    ['a~b', '.svc-blog a~b'],
    ['p::before', '.svc-blog p::before'],
    [':is(body,.outside) p', '.svc-blog :is(body,.outside) p'],
    [':not(.svc-blog)', '.svc-blog :not(.svc-blog)']
  ]
  for (const [given, expected] of pairs) t.equal(scoped(`${given}{color:red}`), `${expected}{color:red}`, given)
})

t.test('a selector outside of the blog is removed', async (t) => {
  for (const selector of [
    '.svc-blog~p',
    '.svc-blog+p',
    'body~p',
    ':root+*',
    ':host',
    ':host(x)',
    ':host-context(body)',
    '::slotted(p)',
    'x::part(y)',
    'p:is(:root)',
    '>p',
    '~p',
    '+p',
    '& p',
    ':not(&)',
    'svg|a',
    'a||b',
    'p .svc-blog',
    '::view-transition',
    ':unknown(x'
  ]) {
    t.equal(scoped(`${selector}{color:red}`), '', selector)
  }
})

t.test('only conditional at-rules and keyframes are kept, and keyframes are renamed', async (t) => {
  t.equal(scoped('@media (width<600px){p{color:red}}'), '@media (width<600px){.svc-blog p{color:red}}')
  t.equal(
    scoped('@supports (display:grid){@container (width>1px){p{color:red}}}'),
    '@supports (display:grid){@container (width>1px){.svc-blog p{color:red}}}'
  )
  t.equal(
    scoped('@keyframes in{from{opacity:0}50%,to{opacity:1}}p{animation:in 1s}'),
    '@keyframes svc-in{from{opacity:0}50%,to{opacity:1}}.svc-blog p{animation:svc-in 1s}'
  )
  for (const css of [
    '@import "x";',
    '@import url(x);',
    '@charset "x";',
    '@namespace url(x);',
    '@page{margin:0}',
    '@property --x{syntax:"*";inherits:true}',
    '@font-face{font-family:x;src:url(https://e.example/x)}',
    '@layer a{p{color:red}}',
    '@scope (html){p{color:red}}',
    '@starting-style{p{color:red}}',
    '@\\69mport "x";',
    '@view-transition{navigation:auto}',
    '@document url(x){p{color:red}}',
    '@supports (background:url(//e.example)){p{color:red}}'
  ]) {
    t.equal(scoped(css), '', css)
  }
})

t.test('declarations that load resources, run code or cover the page are removed', async (t) => {
  for (const declaration of [
    'position:fixed',
    'position:sticky',
    'POSITION:FIXED',
    'position:\\66ixed',
    'position:var(--x)',
    'pos\\69tion:fixed',
    'position:fixed!important',
    '*position:fixed',
    'behavior:url(x)',
    '-moz-binding:url(x)',
    'width:expression(alert(1))',
    'width:e\\78pression(1)',
    'background:url(https://e.example/x)',
    'background:url(//e.example)',
    'background:u\\72l(https://e.example)',
    'background:url("data:image/png,x")',
    'background:image-set("https://e.example" 1x)',
    'background:-webkit-image-set(url(x) 1x)',
    '--x:url(https://e.example)',
    '--x:image-set("//e.example" 1x)',
    '--x:{a:b}',
    'z-index:9999',
    'z-index:calc(9*9999)',
    'cursor:url(x),auto',
    'content:attr(x)',
    'src:"x"',
    'isolation:auto',
    'filter:progid:x(y)',
    'color:red;;;}}body{color:red'
  ]) {
    t.notMatch(scoped(`p{${declaration}}`), FORBIDDEN, declaration)
  }
})

t.test('on the article itself, only properties that leave its place and size are allowed', async (t) => {
  const allowed = [
    ...['color:red', 'font:italic 1.1em/1.5 Georgia,serif', 'font-size:clamp(1rem,2vw,1.25rem)', 'padding:1rem 2em'],
    ...['background:linear-gradient(red,#00f)', 'border:1px solid rgb(1 2 3)', 'border-radius:8px', 'margin:0 auto'],
    ...['max-width:70ch', '--brand:#123', 'text-align:center', 'letter-spacing:.01em', 'color-scheme:dark']
  ]
  const removed = [
    ...['position:absolute', 'inset:0', 'margin:-9px', 'margin:1px auto', 'margin-top:0', 'width:900px', 'height:0'],
    ...['transform:none', 'translate:9px', 'filter:blur(9px)', 'box-shadow:0 0 9px red', 'outline:9px solid'],
    ...[
      'display:contents',
      'float:left',
      'overflow:visible',
      'animation:a 1s',
      'transition:all 1s',
      'opacity:var(--x);top:1px'
    ],
    ...[
      'padding:999px',
      'padding:calc(9px*99)',
      'padding:var(--x)',
      'padding:20%',
      'border:99px solid',
      'font-size:99em'
    ],
    ...['border-image-outset:99px', '-webkit-box-reflect:left', 'column-span:all', 'order:-1', 'grid-area:1/1', 'top:0']
  ]
  for (const wrapper of [
    'body',
    ':root',
    'html.x',
    'div.svc-blog',
    'body:hover',
    'html body',
    '.svc-blog:first-child'
  ]) {
    for (const declaration of allowed) {
      t.match(scoped(`${wrapper}{${declaration}}`), declaration, `${wrapper} ${declaration}`)
    }
    for (const declaration of removed) {
      const [last] = declaration.split(';').slice(-1)
      t.notOk(scoped(`p,${wrapper}{${declaration}}`).includes(last!), `${wrapper} ${declaration}`)
    }
  }
  for (const inside of ['p', 'body p', 'body::before', '.svc-blog>*']) {
    t.match(scoped(`${inside}{width:900px;position:absolute}`), 'width:900px;position:absolute', inside)
  }
})

t.test('images of the blog are allowed, and delivered from the public URL', async (t) => {
  const css = scoped(
    `p{background:url(Harbor.jpg)}q{background:url("${PUBLIC_URL}/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg")}`
  )
  t.equal(css.split(`url(${ORIGIN}/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg)`).length, 3)
  t.match(deliverCss(css, PUBLIC_URL), `url(${PUBLIC_URL}/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg)`)
})

t.test('a style sheet cannot close the style element or a rule of the theme', async (t) => {
  for (const css of [
    'p{content:"</style><script>"}',
    'p{content:"<!--"}',
    'p{content:"}"}',
    '}p{color:red}',
    '}}}@layer x;body{color:red}',
    'p{color:red',
    'p{color:"red',
    '/* </style> */p{color:red}',
    'p{color:red}/*',
    'p{--x:"}}";color:red}',
    'p{content:"\\',
    '[a="</style>"]{color:red}',
    '.a\\}b{color:red}',
    '<!-- p{color:red} -->'
  ]) {
    const css1 = deliverCss(scoped(css))
    t.notMatch(css1, /<[/!]|-->/, css)
    t.equal(depthAtEnd(css1), 0, css)
  }
})

/**
 * The number of open blocks at the end, outside of strings and escapes; -1 if a block is closed that
 * was not open.
 */
function depthAtEnd(css: string): number {
  let depth = 0
  for (const [bracket] of css
    .replace(/\\./gs, '')
    .replace(/"[^"]*"|'[^']*'/g, '')
    .matchAll(/[{}]/g)) {
    depth += bracket === '{' ? 1 : -1
    if (depth < 0) return -1
  }
  return depth
}

t.test('removed CSS adds a warning', async (t) => {
  const warnings: string[] = []
  scopeCss('body~p{color:red}p{position:fixed}@import "x";', options, (warning) => warnings.push(warning))
  t.match(warnings, [/body~p/, /position:fixed/, /@import/])
})
