import { Readable } from 'node:stream'
import type { VisualCheck } from '../../../schemas/visual-check.ts'
import { renderHtmlReport, type ReportContext } from './html.ts'
import { PICTURE_PLACE } from './pictures.ts'

/** Base64 has four characters for three bytes. */
const GROUP_BYTES = 3

/** Opens the file of a picture. Null if it does not exist. */
export type OpenPicture = (key: string) => Promise<Readable | null>

/**
 * A report as it is sent (see `renderHtmlReport`). The pictures of a check may have 60 MB, so they are read and encoded
 * in pieces, as fast as the client reads.
 */
export function streamHtmlReport(check: VisualCheck, context: ReportContext, open: OpenPicture): Readable {
  return Readable.from(insertPictures(renderHtmlReport(check, context), open), { objectMode: false })
}

async function* insertPictures(markup: string, open: OpenPicture): AsyncGenerator<string> {
  // Texts and keys of pictures alternate.
  for (const [index, part] of markup.split(PICTURE_PLACE).entries()) {
    if (index % 2 === 0) yield part
    else yield* encode((await open(part)) ?? [])
  }
}

async function* encode(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = all.length - (all.length % GROUP_BYTES)
    rest = all.subarray(end)
    if (end > 0) yield all.toString('base64', 0, end)
  }
  if (rest.length > 0) yield rest.toString('base64')
}
