import { deepEqual } from 'node:assert/strict'
import { createRowCounter } from '../../../../services/imports/rows/read-rows.ts'
import { detectLayout, type Layout } from '../../../../services/imports/rows/layout.ts'
import { readBatches, type OpenFile, type RowBatch } from '../../../../services/imports/rows/batches.ts'
import type { Row } from '../../../../services/imports/rows/row.ts'

export interface Options {
  format?: 'csv' | 'ndjson'
  mapping?: Record<string, string> | null
  size?: number
  chunkBytes?: number[]
}
export interface FileRead {
  layout: Layout
  rows: Row[]
  batches: RowBatch[]
}

/**
 * Reads a file and checks what must hold for every file: the chunk size makes no difference, the
 * counter agrees with the reader, and reading can resume at the end of every batch.
 */
export async function readFile(
  file: string | Buffer,
  { format = 'csv', mapping = null, size = 2, chunkBytes = [1, 7, 64 * 1024] }: Options = {}
): Promise<FileRead> {
  const bytes = Buffer.from(file)
  const layout = JSON.parse(
    JSON.stringify(
      await detectLayout(bytes.subarray(0, 1024 * 1024), { format, mapping, isComplete: bytes.length <= 1024 * 1024 })
    )
  ) as Layout
  const begin = { byte: layout.firstByte, line: layout.firstLine, size }
  const batches = await all(inChunks(bytes, 64 * 1024), layout, begin)
  const rows = batches.flatMap(({ rows }) => rows)
  for (const length of chunkBytes) {
    deepEqual(await all(inChunks(bytes, length), layout, begin), batches, `in chunks of ${length} bytes`)
    deepEqual(count(bytes, { layout, length }), rows.length, `counted in chunks of ${length} bytes`)
  }
  for (const [i, { nextByte, nextLine }] of batches.entries()) {
    deepEqual(
      await all(inChunks(bytes, 64 * 1024), layout, { byte: nextByte, line: nextLine, size }),
      batches.slice(i + 1),
      `resumed at byte ${nextByte}`
    )
  }
  if (rows.length > 0) deepEqual(batches.at(-1)!.nextByte, bytes.length, 'read to the end')
  return { layout, rows, batches }
}

/** Returns the values of the rows; throws if a row has errors. */
export async function valuesOf(file: string | Buffer, options: Options = {}): Promise<unknown[]> {
  const { rows } = await readFile(file, options)
  deepEqual(
    rows.flatMap(({ errors }) => errors),
    []
  )
  return rows.map(({ value }) => value)
}

/** `line code pointer` of each error. */
export async function errorsOf(file: string | Buffer, options: Options = {}): Promise<string[]> {
  const { rows } = await readFile(file, options)
  return rows.flatMap(({ line, errors }) => errors.map(({ code, pointer }) => `${line} ${code} ${pointer}`.trim()))
}

function takeAll(steps: Iterator<void>): void {
  while (steps.next().done !== true);
}

function count(bytes: Buffer, { layout, length }: { layout: Layout; length: number }): number {
  const counter = createRowCounter(layout)
  for (let i = 0; i < bytes.length; i += length) takeAll(counter.push(bytes.subarray(i, i + length)))
  takeAll(counter.end())
  return counter.total()
}

function inChunks(bytes: Buffer, length: number): OpenFile {
  return async (from) =>
    (async function* () {
      for (let i = from; i < bytes.length; i += length) yield bytes.subarray(i, i + length)
    })()
}

async function all(
  open: OpenFile,
  layout: Layout,
  from: { byte: number; line: number; size: number }
): Promise<RowBatch[]> {
  const batches: RowBatch[] = []
  for await (const { rows, ...rest } of readBatches(open, layout, { ...from, size: () => from.size })) {
    batches.push({ ...rest, rows: rows.map((row) => ({ ...row })) })
  }
  return batches
}
