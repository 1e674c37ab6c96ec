const followers = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls this once when the signal aborts, at once if it has, unless it is let go before; returns
 * what lets it go. Thousands of requests share a signal,
 * and listeners of their own would cost more than all else about their time.
 */
export function followSignal(signal: AbortSignal, whenAborted: () => void): () => void {
  if (signal.aborted) {
    whenAborted()
    return () => {}
  }
  const all = followers.get(signal) ?? startFollowing(signal)
  all.add(whenAborted)
  return () => {
    all.delete(whenAborted)
  }
}

function startFollowing(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  followers.set(signal, all)
  signal.addEventListener(
    'abort',
    () => {
      for (const tell of all) tell()
    },
    { once: true }
  )
  return all
}
