import type { JobListener } from './port.ts'

/**
 * Tells the process of every failure: for queues that nobody listens to, as no failure is silent.
 */
export const warningListener: JobListener = {
  failed({ name, attempt, isLast: last }, error) {
    const reason = error instanceof Error ? error.stack : String(error)
    process.emitWarning(`Attempt ${attempt} of the job ${name} failed${last ? ', and it was given up' : ''}: ${reason}`)
  }
}
