import { createHash } from 'node:crypto'
import type { Entry, ExportEnd, ExportHeader } from './entries.ts'

/**
 * The lines of an export, each with its line break: the header, the entries, and the end, which
 * tells how many there were and their sum.
 */
export async function* serializeExport(header: ExportHeader, entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const counts: Record<string, number> = {}
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const summed = (value: object) => {
    const text = line(value)
    sum.update(text)
    return text
  }
  yield summed(header)
  for await (const entry of entries) {
    counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
    yield summed(entry)
  }
  yield line({ kind: 'end', counts, sha256: sum.digest('hex') } satisfies ExportEnd)
}
