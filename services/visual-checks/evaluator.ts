import { problem } from '../../errors.ts'
import { createThreadPool, TaskLimitError, type ThreadPool } from '../../lib/thread-pool.ts'
import type { Evaluation, EvaluationInput } from './evaluate.ts'

/** CPU time of one evaluation. Ordinary pages take less than a second. */
const TIMEOUT_MS = 10_000

/** Shared by all services of the process. Its threads end when they are idle. */
let pool: ThreadPool | null = null

/**
 * Evaluates a page in a thread: the rules compare texts of the page, which may be hostile. Throws
 * `content_too_complex` if the evaluation takes too long or needs too much memory.
 */
export async function evaluateInThread(accountId: string, input: EvaluationInput): Promise<Evaluation> {
  pool ??= createThreadPool({
    entry: new URL('evaluation-thread.ts', import.meta.url),
    timeoutMs: TIMEOUT_MS,
    reservesThread: false
  })
  try {
    return (await pool.run({ account: accountId, name: 'evaluate', input })) as Evaluation
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error
    throw problem('content_too_complex', 'The page is too complex to be evaluated.', { cause: error })
  }
}
