const WIDTH = 30
const EVERY_MS = 100

/**
 * A bar on the error stream with what is done, the rate and the time that is left; on something
 * that is no terminal a line every tenth.
 */
export function createProgressBar(total: number, what: string) {
  const start = performance.now()
  let shownAt = 0
  let tenth = 0

  function line(done: number): string {
    const seconds = (performance.now() - start) / 1000
    const rate = done / Math.max(seconds, 0.001)
    const filled = Math.round((WIDTH * done) / Math.max(total, 1))
    return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total} ${what}  ${rate.toFixed(0)}/s  ${done < total ? `${Math.ceil((total - done) / Math.max(rate, 0.001))} s left` : `${seconds.toFixed(1)} s`}`
  }

  return {
    /** Says something in between: the bar goes on below it. */
    interrupt(sentence: string): void {
      process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${sentence}\n`)
    },
    update(done: number): void {
      if (process.stderr.isTTY) {
        if (performance.now() - shownAt < EVERY_MS && done < total) return
        shownAt = performance.now()
        process.stderr.write(`\r\u001b[K${line(done)}${done === total ? '\n' : ''}`)
      } else if (Math.floor((10 * done) / Math.max(total, 1)) > tenth) {
        tenth = Math.floor((10 * done) / Math.max(total, 1))
        process.stderr.write(`${line(done)}\n`)
      }
    }
  }
}
