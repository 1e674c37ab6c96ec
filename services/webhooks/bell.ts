/** Wakes one who waits. A ring that nobody waits for is heard by the next who does. */
export interface Bell {
  ring: () => void
  /** Makes the waiting one, or the next, throw this. */
  fail: (error: unknown) => void
  /** Resolves at the next ring, or after so many milliseconds. */
  rung: (ms: number) => Promise<void>
}

export function createBell(): Bell {
  let isRung = false
  let failure: { error: unknown } | undefined
  let wake = (): void => {}

  function ring(): void {
    isRung = true
    wake()
  }

  return {
    ring,
    fail(error) {
      failure ??= { error }
      ring()
    },
    async rung(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isRung = false
      if (failure !== undefined) throw failure.error
    }
  }
}
