import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element

/**
 * The elements allowed in delivered HTML. Independent of the product's allow-list on purpose, so that
 * a mistake there is detected.
 */
const ELEMENTS = new Set(
  (
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption ' +
    'figure h2 h3 h4 hr i iframe img input ins kbd li mark ol p ' +
    'picture pre q rp rt ruby s samp section small source span strong sub summary sup table tbody td tfoot th ' +
    'thead time tr u ul var wbr'
  ).split(' ')
)
const ATTRIBUTES = new Set(
  (
    'class id dir lang title aria-label aria-hidden href target rel hreflang src srcset sizes alt width height ' +
    'loading decoding fetchpriority media type span colspan rowspan scope ' +
    'tabindex role checked disabled ' +
    'datetime open start reversed value sandbox allow allowfullscreen referrerpolicy data-svc-blog'
  ).split(' ')
)
const ORIGIN = 'https://svc-origin.invalid'

/**
 * The violations of the policy in delivered HTML; empty for valid content. Uses a parser that
 * conforms to the WHATWG standard.
 */
export function findViolations(html: string, publicUrl = ORIGIN): string[] {
  const found: string[] = []
  const fragment = parseFragment(html)
  if (fragment.childNodes.length !== 1) found.push(`${fragment.childNodes.length} roots`)
  const waiting: DefaultTreeAdapterTypes.ChildNode[] = [...fragment.childNodes]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#text') continue
    if (!('tagName' in node)) {
      found.push(`a ${node.nodeName}`)
      continue
    }
    found.push(...elementViolations(node, publicUrl))
    for (const child of node.childNodes) waiting.push(child)
  }
  return found
}

function elementViolations(element: Element, publicUrl: string): string[] {
  const { tagName, namespaceURI, attrs } = element
  const found = attrs.flatMap(({ name, value, namespace }) =>
    namespace === undefined && ATTRIBUTES.has(name)
      ? urlViolations(tagName, name, value, publicUrl)
      : [`<${tagName} ${name}>`]
  )
  if (!ELEMENTS.has(tagName) || namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`<${tagName}>`)
  const value = (name: string) => attrs.find((each) => each.name === name)?.value
  const id = value('id')
  if (id !== undefined && !/^svc-[^\s<>"'&]+$/.test(id)) found.push(`id ${id}`)
  if (
    tagName === 'img' &&
    (value('alt') === undefined || !value('loading') || value('decoding') !== 'async' || !value('src'))
  ) {
    found.push('an image without alt, loading, decoding or src')
  }
  if (tagName === 'iframe' && value('sandbox') !== 'allow-scripts allow-same-origin allow-presentation') {
    found.push('a frame without its sandbox')
  }
  if (tagName === 'input' && (value('type') !== 'checkbox' || value('disabled') === undefined)) {
    found.push('an input that is not a disabled check box')
  }
  if (value('tabindex') !== undefined && !(value('tabindex') === '0' && /^(?:div|pre)$/.test(tagName))) {
    found.push(`tabindex ${value('tabindex')} of <${tagName}>`)
  }
  if (value('role') !== undefined && !(value('role') === 'group' && value('class') === 'svc-table')) {
    found.push(`role ${value('role')} of <${tagName}>`)
  }
  if (tagName === 'a' && value('target') === '_blank' && !value('rel')?.split(' ').includes('noopener')) {
    found.push('a new window without noopener')
  }
  return found
}

function urlViolations(tagName: string, name: string, value: string, publicUrl: string): string[] {
  if (name === 'href') {
    const url = URL.canParse(value, 'https://page.invalid/') ? new URL(value, 'https://page.invalid/') : null
    if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return [`href ${value}`]
    return value.startsWith('#') && !value.startsWith('#svc-') ? [`fragment ${value}`] : []
  }
  if (name === 'src' && tagName === 'iframe') {
    return /^https:\/\/(www\.youtube-nocookie\.com\/embed|player\.vimeo\.com\/video)\/[\w-]+(\?[\w=&]*)?$/.test(value)
      ? []
      : [`frame ${value}`]
  }
  if (name === 'src') return isImage(value, publicUrl) ? [] : [`src ${value}`]
  if (name === 'srcset') {
    return value.split(', ').every((candidate) => isImage(candidate.split(' ')[0] ?? '', publicUrl))
      ? []
      : [`srcset ${value}`]
  }
  return []
}

const isImage = (url: string, publicUrl: string) =>
  URL.canParse(url) && (new URL(url).protocol === 'https:' || url.startsWith(`${publicUrl}/api/v1/blogs/images/`))
