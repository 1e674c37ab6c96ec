/**
 * Deeper elements lose their tags before any parser sees them: what a parser costs grows with the
 * square of the depth. Real pages stay below 50.
 */
const DEEPEST = 250
/**
 * Elements whose end tag may be left out count by themselves: a long page may leave thousands of
 * them open without nesting anything.
 */
const MOST_OPEN = 5_000

const TAG = /<(\/?)([a-zA-Z][^\s/<>]{0,30})[^<>]{0,10000}>?/g
const VOID: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr'
])
const END_OPTIONAL: ReadonlySet<string> = new Set([
  'p',
  'li',
  'dt',
  'dd',
  'td',
  'th',
  'tr',
  'thead',
  'tbody',
  'tfoot',
  'colgroup',
  'rp',
  'rt',
  'option',
  'optgroup'
])

/**
 * Takes out start tags that are nested too deep, by counting tags alone (quotes, comments and
 * scripts are not understood, and need not be: what comes out is sanitized).
 * HTML that is not deep comes back as it was.
 */
export function limitNesting(html: string): string {
  let depth = 0
  let open = 0
  return html.replace(TAG, (tag, slash: string, name: string) => {
    const lower = name.toLowerCase()
    if (VOID.has(lower)) return tag
    if (END_OPTIONAL.has(lower)) {
      open = Math.max(0, open + (slash ? -1 : 1))
      return open > MOST_OPEN && !slash ? ' ' : tag
    }
    if (slash) {
      depth = Math.max(0, depth - 1)
      return tag
    }
    // A space in its place, so that its neighbors cannot become a tag together.
    if (depth >= DEEPEST) return ' '
    depth++
    return tag
  })
}
