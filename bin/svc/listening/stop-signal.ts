const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A signal for the end of a command that runs until it is told to stop: by Ctrl-C, by a signal, or
 * because nobody reads its output any more. Until `release` a second
 * Ctrl-C changes nothing (npm passes on one that the terminal has sent already), so that there is
 * time to clear up.
 */
export function openStopSignal() {
  const controller = new AbortController()
  const stop = () => {
    controller.abort()
  }
  for (const name of SIGNALS) process.on(name, stop)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
  return {
    signal: controller.signal,
    stopped: new Promise<void>((resolve) => {
      controller.signal.addEventListener(
        'abort',
        () => {
          resolve()
        },
        { once: true }
      )
    }),
    /**
     * Gives the signals back to the system; the streams stay as they are, for nobody reads them.
     */
    release(): void {
      for (const name of SIGNALS) process.off(name, stop)
    }
  }
}
