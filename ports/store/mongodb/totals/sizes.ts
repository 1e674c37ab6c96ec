import type { Document } from 'mongodb'
import { totalsMark } from './documents.ts'

const elementBytes = (name: string, valueBytes: number): number => 1 + Buffer.byteLength(name) + 1 + valueBytes
const stringBytes = (text: string): number => 4 + Buffer.byteLength(text) + 1

/** The bytes of a field whose value is a document. */
const fieldBytes = (field: string): Document => ({
  $cond: [
    { $eq: [{ $type: `$${field}` }, 'object'] },
    { $add: [{ $bsonSize: `$${field}` }, elementBytes(field, 0)] },
    0
  ]
})

/**
 * An expression for the bytes of a record that count as storage of its account: those of its document, without what
 * totals contain of it, its mark, and these other fields with documents that the service makes.
 */
export function storedBytes(accountId: string, others: readonly string[] = []): Document {
  const mark = Object.entries(totalsMark(accountId))
  const markBytes = mark.reduce((bytes, [name, text]) => bytes + elementBytes(name, stringBytes(text)), 0)
  const excluded = ['counted', ...others].map(fieldBytes)
  return {
    $subtract: [
      { $bsonSize: '$$ROOT' },
      { $add: [...excluded, { $cond: [{ $eq: [{ $type: '$totalsKey' }, 'string'] }, markBytes, 0] }] }
    ]
  }
}
