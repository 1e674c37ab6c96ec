import type { SQLInputValue } from 'node:sqlite'
import type { TransferKind, TransferRecord } from '../port.ts'
import type { Database } from './database.ts'
import type { RecordRow } from './records.ts'

/** The values that make a record unique, in the order in which records of its kind are told. */
export type Position = (string | number)[]

/**
 * How records of one kind are read and written. `insert` is to be called inside `db.atomically`.
 */
export interface Mover<Moved> {
  position: (record: Moved) => Position
  page: (after: Position | null, limit: number) => Moved[]
  /** What is in the place of this record: has its id, or another value that only one may have. */
  near: (record: Moved) => Moved[]
  /** False when what it belongs to is not there. */
  insert: (record: Moved) => boolean
}

export type Movers = { [Kind in TransferKind]: Mover<TransferRecord<Kind>> }

/**
 * Rows in order of these columns, those after the position. `select` is a SELECT with its WHERE
 * clause.
 */
export function rowsAfter<Row>(
  db: Database,
  { select, columns }: { select: string; columns: string[] },
  { after, limit }: { after: Position | null; limit: number }
): Row[] {
  const past = after === null ? '' : ` AND (${columns.join(', ')}) > (${columns.map(() => '?').join(', ')})`
  return db.all<Row>(`${select}${past} ORDER BY ${columns.join(', ')} LIMIT ?`, ...(after ?? []), limit)
}

interface RecordTable<Moved> {
  table: string
  /** The columns that make a row unique, with where their values are in the record. */
  key: Record<string, keyof Moved>
  /** The other columns. */
  others?: (record: Moved) => Record<string, SQLInputValue>
  /** Another column that only one row may have a value of. */
  unique?: { column: string; of: keyof Moved }
}

/** For a table whose rows hold their records as JSON. */
export function recordMover<Moved extends object>(
  db: Database,
  { table, key, others = () => ({}), unique }: RecordTable<Moved>
): Mover<Moved> {
  const columns = Object.keys(key)
  const parsed = ({ record }: RecordRow) => JSON.parse(record) as Moved
  const position = (record: Moved) => Object.values(key).map((name) => record[name]) as Position
  const here = columns.map((column) => `${column} = ?`).join(' AND ')

  return {
    position,
    page: (after, limit) =>
      rowsAfter<RecordRow>(db, { select: `SELECT record FROM ${table} WHERE 1`, columns }, { after, limit }).map(
        parsed
      ),
    near: (record) =>
      [
        ...db.all<RecordRow>(`SELECT record FROM ${table} WHERE ${here}`, ...position(record)),
        ...(unique === undefined
          ? []
          : db.all<RecordRow>(
              `SELECT record FROM ${table} WHERE ${unique.column} = ? AND NOT (${here})`,
              record[unique.of] as string,
              ...position(record)
            ))
      ].map(parsed),
    insert: (record) => {
      const row = { ...others(record), record: JSON.stringify(record) }
      const names = [...columns, ...Object.keys(row)]
      return (
        db.run(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
          ...position(record),
          ...Object.values(row)
        ) === 1
      )
    }
  }
}
