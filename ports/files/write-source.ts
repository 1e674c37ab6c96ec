import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { onDisk } from './disk-errors.ts'

/**
 * Writes all of `source` to a new file at `target` and resolves with the number of bytes when they
 * are on the disk. A stream is read to its end or destroyed.
 */
export async function writeSource(target: string, source: Uint8Array | Readable): Promise<number> {
  const handle = await onDisk(() => open(target, 'wx'))
  try {
    const bytes = source instanceof Uint8Array ? await writeAll(handle, source) : await writeStream(handle, source)
    await onDisk(() => handle.sync())
    return bytes
  } finally {
    await onDisk(() => handle.close())
  }
}

async function writeStream(handle: FileHandle, source: Readable): Promise<number> {
  let bytes = 0
  // Leaving the loop by an error destroys the stream; an error of the stream itself is the caller's
  // and goes on as it is.
  for await (const chunk of source) {
    bytes += await writeAll(handle, typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array))
  }
  return bytes
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  let written = 0
  while (written < bytes.byteLength) {
    const done = await onDisk(() => handle.write(bytes, written))
    written += done.bytesWritten
  }
  return written
}
