import type { SQLInputValue } from 'node:sqlite'
import type { TransferKind, TransferRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { placeholders, type RecordRow } from '../sql.ts'

/** The values that make a record unique. Records of a kind are returned in their order. */
export type Position = (string | number)[]

/** Reads and writes the records of one kind. */
export interface KindTransfer<Moved> {
  position: (record: Moved) => Position
  page: (after: Position | null, limit: number) => Moved[]
  /** Stored records that have the record's id, or another value that must be unique. */
  findExisting: (record: Moved) => Moved[]
  /**
   * Returns false when the record that it belongs to does not exist. Called inside a transaction,
   * and only when `findExisting` returned nothing.
   */
  insert: (record: Moved) => boolean
}

export type KindTransfers = { [Kind in TransferKind]: KindTransfer<TransferRecord<Kind>> }

/**
 * Rows after the position, in order of these columns. `select` is a SELECT that ends within its
 * WHERE clause.
 */
export function findAfter<Row>(
  db: Database,
  { select, columns }: { select: string; columns: string[] },
  { after, limit }: { after: Position | null; limit: number }
): Row[] {
  const condition = after === null ? '' : ` AND (${columns.join(', ')}) > (${placeholders(columns.length)})`
  return db.all<Row>(`${select}${condition} ORDER BY ${columns.join(', ')} LIMIT ?`, ...(after ?? []), limit)
}

interface RecordTable<Moved> {
  table: string
  /** The columns of the primary key, and the fields that they contain. */
  key: Record<string, keyof Moved>
  /** The other columns except `record`. */
  columns?: (record: Moved) => Record<string, SQLInputValue>
  /** Another unique column, and the field that it contains. */
  unique?: { column: string; field: keyof Moved }
}

/** For tables that store records as JSON. */
export function transferTable<Moved extends object>(
  db: Database,
  { table, key, columns = () => ({}), unique }: RecordTable<Moved>
): KindTransfer<Moved> {
  const keyColumns = Object.keys(key)
  const parse = ({ record }: RecordRow) => JSON.parse(record) as Moved
  const position = (record: Moved) => Object.values(key).map((name) => record[name]) as Position
  const hasKey = keyColumns.map((column) => `${column} = ?`).join(' AND ')

  return {
    position,
    page: (after, limit) => {
      const select = `SELECT record FROM ${table} WHERE 1`
      return findAfter<RecordRow>(db, { select, columns: keyColumns }, { after, limit }).map(parse)
    },
    findExisting: (record) => {
      const rows = db.all<RecordRow>(`SELECT record FROM ${table} WHERE ${hasKey}`, ...position(record))
      if (unique === undefined) return rows.map(parse)
      const others = db.all<RecordRow>(
        `SELECT record FROM ${table} WHERE ${unique.column} = ? AND NOT (${hasKey})`,
        record[unique.field] as string,
        ...position(record)
      )
      return [...rows, ...others].map(parse)
    },
    insert: (record) => {
      const row = { ...columns(record), record: JSON.stringify(record) }
      const names = [...keyColumns, ...Object.keys(row)]
      const changes = db.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${placeholders(names.length)})`,
        ...position(record),
        ...Object.values(row)
      )
      return changes === 1
    }
  }
}
