import { useEffect, useState } from 'preact/hooks'

/** The address inside of the console: the fragment of the URL, such as `#/blogs/123?tab=images`. */
export interface Route {
  /** The decoded segments of the path. */
  segments: string[]
  query: URLSearchParams
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const segments = path.split('/').filter((segment) => segment !== '')
  return { segments: segments.map(decode), query: new URLSearchParams(query) }
}

const pathOf = (hash: string): string => hash.replace(/^#\/?/, '').split('?')[0]!

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // A malformed escape sequence is shown as it is.
  }
}

/** Questions to ask before the current page is left, such as an editor with unsaved changes. */
let confirmLeaving: (() => boolean) | null = null
let currentHash = location.hash

/** Follows the address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const update = (): void => {
      if (location.hash === currentHash) return
      // Another tab or filter of the same page keeps its unsaved changes.
      const isSamePage = pathOf(location.hash) === pathOf(currentHash)
      if (!isSamePage && confirmLeaving !== null && !confirmLeaving()) {
        history.replaceState(null, '', currentHash)
        return
      }
      if (!isSamePage) confirmLeaving = null
      currentHash = location.hash
      setRoute(readRoute())
    }
    addEventListener('hashchange', update)
    // Effects of children run first, and may have changed the address.
    update()
    return () => removeEventListener('hashchange', update)
  }, [])
  return route
}

/** Opens another page of the console. `path` starts with a slash. */
export function navigate(path: string): void {
  location.hash = `#${path}`
}

/** Opens the home page in place of the current address, which disappears from the history. */
export function replaceWithHome(): void {
  history.replaceState(null, '', '#/')
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** Changes parameters of the address without a new entry in the history. Null removes a parameter. */
export function replaceQuery(changes: Record<string, string | null>): void {
  const { segments, query } = readRoute()
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  location.replace(`#/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`)
}

/** Asks before the page is left while `isDirty`, also when the tab is closed. */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    // The only dialog that can stop the browser's own navigation.
    confirmLeaving = () => confirm('Discard your unsaved changes?')
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => {
      confirmLeaving = null
      removeEventListener('beforeunload', warn)
    }
  }, [isDirty])
}
