/** Lets work that shares a key run one after another, and other work at the same time. */
export interface KeyLocks {
  /** Runs the work when all earlier work with one of its keys has ended. Settles as the work does. */
  run: <Result>(keys: Iterable<string>, work: () => Promise<Result>) => Promise<Result>
}

/** Creates locks for the work of one process. Work takes its keys all at once, so that none can wait in a circle. */
export function createKeyLocks(): KeyLocks {
  /** The end of the latest work with each key. */
  const latest = new Map<string, Promise<void>>()
  return {
    async run(keys, work) {
      const own = new Set(keys)
      const earlier = new Set<Promise<void>>()
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      for (const key of own) {
        const before = latest.get(key)
        if (before !== undefined) earlier.add(before)
        latest.set(key, ended)
      }
      await Promise.all(earlier)
      try {
        return await work()
      } finally {
        resolve()
        for (const key of own) if (latest.get(key) === ended) latest.delete(key)
      }
    }
  }
}
