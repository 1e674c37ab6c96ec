import type { Sight } from './rule.ts'

/**
 * The canonical addresses that a page names, complete, each once; null for one that is no address
 * of the web.
 */
export function resolvedCanonicals({ facts: { document, runtime }, expected }: Sight): (string | null)[] {
  const base = URL.canParse(runtime.finalUrl) ? runtime.finalUrl : expected.url
  return [...new Set(document.canonicals.map((href) => resolve(href.trim(), base)))]
}

function resolve(href: string, base: string): string | null {
  if (href === '' || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  const isUnfilled = /%7B%7B|undefined|null$/i.test(url.href) && url.pathname !== new URL(base).pathname
  return ['http:', 'https:'].includes(url.protocol) && !isUnfilled ? url.href : null
}
