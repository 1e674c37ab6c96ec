import { compress, type Encoding } from './compress.ts'
import { encodedTag } from './conditional.ts'

/**
 * A ready-made answer: what was serialized once, with the headers that belong to it and not to the
 * request.
 */
export interface KeptAnswer {
  /**
   * The account's content epoch, read before the answer was made; it is good only while that is
   * still the epoch.
   */
  epoch: number
  /** When it was made, milliseconds since 1970. */
  madeAtMs: number
  body: Buffer
  etag: string
  lastModified: string
  /**
   * Names and values by turns, as `writeHead` takes them; without ETag, Content-Type and
   * Content-Length.
   */
  headers: string[]
  contentType: string
  coded: Partial<Record<Encoding, Promise<Coded>>>
}
export interface Coded {
  body: Buffer
  etag: string
}

/** The answer in a coding; worked out for the first who asks. */
export function codedAnswer(answer: KeptAnswer, encoding: Encoding): Promise<Coded> {
  answer.coded[encoding] ??= compress(answer.body, encoding).then((body) => ({
    body,
    etag: encodedTag(answer.etag, encoding)
  }))
  return answer.coded[encoding]
}

/**
 * A process that was killed between its change and the epoch told nobody of it; so nothing is kept
 * longer than this.
 */
const KEPT_MS = 60_000

/**
 * Answers in the order of their use, bounded by bytes: the one that was not asked for longest goes
 * first.
 */
export function createAnswerCache(maxBytes: number) {
  const answers = new Map<string, KeptAnswer>()
  let bytes = 0
  // The coded forms come later; twice the plain form is a safe guess of all together.
  const cost = (key: string, answer: KeptAnswer) => 2 * answer.body.length + key.length + 500

  function drop(key: string, answer: KeptAnswer): void {
    answers.delete(key)
    bytes -= cost(key, answer)
  }

  return {
    get(key: string, epoch: number): KeptAnswer | undefined {
      const answer = answers.get(key)
      if (answer === undefined) return undefined
      if (answer.epoch !== epoch || Date.now() - answer.madeAtMs > KEPT_MS) {
        drop(key, answer)
        return undefined
      }
      // Order matters only when something must go soon; below half of the room nothing is moved.
      if (bytes > maxBytes / 2) {
        answers.delete(key)
        answers.set(key, answer)
      }
      return answer
    },

    set(key: string, answer: KeptAnswer): void {
      const old = answers.get(key)
      if (old !== undefined) drop(key, old)
      if (Number.isNaN(answer.epoch) || cost(key, answer) > maxBytes / 4) return
      answers.set(key, answer)
      bytes += cost(key, answer)
      for (const [oldest, value] of answers) {
        if (bytes <= maxBytes) break
        drop(oldest, value)
      }
    }
  }
}
