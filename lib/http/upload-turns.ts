import type { Readable } from 'node:stream'
import { createBody } from './request.ts'

/** The place of an upload among the requests of its account that are in progress. */
export interface UploadTurns {
  /** Resolves when the handler may work on what was received. What it throws is the error of the upload. */
  begin: () => Promise<void>
  /** The handler has done its work, and waits for the client. */
  end: () => void
}

/**
 * The same bytes as `body`, which was accepted with a turn. The turn ends while the client sends, and begins again
 * before the next chunk is passed on, and before the end: clients that send slowly occupy no place. After an error,
 * the rest of the body is discarded.
 */
export function readInTurns(body: Readable, turns: UploadTurns): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>
    try {
      for (;;) {
        turns.end()
        const next = await chunks.next()
        await turns.begin()
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await chunks.return(undefined)
      body.resume()
    }
  }
  return createBody(read())
}
