import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { processFolder } from '../temporary-folder.ts'

/** A received file in the temporary folder of the process. Only its size and digest are enumerable. */
export class TemporaryFile {
  readonly #path: string
  /** In bytes. */
  readonly size: number
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string

  constructor(file: { path: string; size: number; digest: string }) {
    this.#path = file.path
    this.size = file.size
    this.digest = file.digest
  }

  async read(): Promise<Buffer> {
    return await readFile(this.#path)
  }

  /** Deletes the file. No error if it is deleted already. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true })
  }
}

/** The stream has more bytes than allowed. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/**
 * Writes a stream to a temporary file that only this user can read, so that received files that wait
 * for processing occupy no memory. Rejects with a FileTooLargeError above `maxBytes`, and with the
 * error of the stream; the file is deleted then.
 */
export async function saveToTemporaryFile(stream: Readable, maxBytes: number): Promise<TemporaryFile> {
  const file = path.join(await processFolder(), `upload-${randomUUID()}`)
  const sum = createHash('sha256')
  let size = 0
  const handle = await open(file, 'wx', 0o600)
  try {
    // A stream that is too long is left as it is: destroying a request would close its connection
    // before the response.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLargeError(`The file has more than ${maxBytes} bytes`)
      sum.update(chunk)
      await handle.appendFile(chunk)
    }
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
  await handle.close()
  return new TemporaryFile({ path: file, size, digest: sum.digest('hex') })
}
