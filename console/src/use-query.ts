import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { call, messageOf } from './api.ts'

export interface Query<T> {
  /** The last response. It stays while the next one is loaded. */
  data: T | null
  error: string | null
  isLoading: boolean
  reload: () => void
  /** Replaces the data, for example by the response to a change. */
  setData: (data: T) => void
}

/**
 * Reads a resource of the API whenever the path changes; null reads nothing. `pollMs` returns after
 * how many milliseconds to read again, or null for never.
 */
export function useQuery<T>(path: string | null, pollMs: (data: T) => number | null = () => null): Query<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: string | null }>({
    path: null,
    data: null,
    error: null
  })
  const [isLoading, setLoading] = useState(path !== null)
  const [revision, setRevision] = useState(0)
  const poll = useRef(pollMs)
  poll.current = pollMs

  useEffect(() => {
    if (path === null) return
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      setLoading(true)
      try {
        const data = await call<T>('GET', path, { signal: abort.signal })
        if (abort.signal.aborted) return
        setState({ path, data, error: null })
        const delay = poll.current(data)
        if (delay !== null) timer = setTimeout(() => void read(), delay)
      } catch (error) {
        if (abort.signal.aborted) return
        setState((previous) => ({ path, data: previous.path === path ? previous.data : null, error: messageOf(error) }))
      }
      setLoading(false)
    }
    void read()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [path, revision])

  const reload = useCallback(() => setRevision((number) => number + 1), [])
  const setData = useCallback((data: T) => setState((previous) => ({ ...previous, data, error: null })), [])
  return { data: state.data, error: state.error, isLoading, reload, setData }
}

export interface Action<Arguments extends unknown[]> {
  run: (...input: Arguments) => Promise<void>
  isRunning: boolean
  error: string | null
  clearError: () => void
}

/** Runs a change of the API, one at a time, and remembers its error. */
export function useAction<Arguments extends unknown[]>(
  work: (...input: Arguments) => Promise<void>
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const busy = useRef(false)
  const run = async (...input: Arguments): Promise<void> => {
    if (busy.current) return
    busy.current = true
    setRunning(true)
    setError(null)
    try {
      await work(...input)
    } catch (failure) {
      setError(messageOf(failure))
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { run, isRunning, error, clearError: () => setError(null) }
}
