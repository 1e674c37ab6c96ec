/**
 * The Link header of a list (RFC 8288): first, prev, next and last. The URLs are relative to the
 * requested URL.
 */
export function pageLinks(url: string, { page = 1, totalPages = 0 }: { page?: number; totalPages?: number }): string {
  const [path, query = ''] = url.split('?', 2) as [string, string?]
  const link = (target: number, relation: string) => {
    const params = new URLSearchParams(query)
    params.set('page', String(target))
    return `<${path}?${params.toString()}>; rel="${relation}"`
  }
  const last = Math.max(1, totalPages)
  return [
    link(1, 'first'),
    page > 1 ? link(Math.min(page - 1, last), 'prev') : '',
    page < last ? link(page + 1, 'next') : '',
    link(last, 'last')
  ]
    .filter((text) => text !== '')
    .join(', ')
}

/** The Link header of a list that is read by cursors: next, or empty on the last page. */
export function cursorLinks(url: string, { nextCursor }: { nextCursor: string | null }): string {
  if (nextCursor === null) return ''
  const [path, query = ''] = url.split('?', 2) as [string, string?]
  const params = new URLSearchParams(query)
  params.set('cursor', nextCursor)
  return `<${path}?${params.toString()}>; rel="next"`
}
