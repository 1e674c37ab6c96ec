/** Tells those who wait in this process that a check has ended; in others they look. */
export function createBell() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    ring(id: string): void {
      for (const wake of waiting.get(id) ?? []) wake()
    },

    /**
     * Begins to listen at once; `heard` resolves when the bell rings, or after `ms` milliseconds.
     * To be ended in any case.
     */
    listen(id: string): { heard: (ms: number) => Promise<void>; end: () => void } {
      const rung = Promise.withResolvers<void>()
      const ears = waiting.get(id) ?? new Set()
      waiting.set(id, ears.add(rung.resolve))
      return {
        async heard(ms) {
          const late = Promise.withResolvers<void>()
          const timer = setTimeout(late.resolve, ms)
          await Promise.race([rung.promise, late.promise])
          clearTimeout(timer)
        },
        end() {
          ears.delete(rung.resolve)
          if (ears.size === 0 && waiting.get(id) === ears) waiting.delete(id)
        }
      }
    }
  }
}
