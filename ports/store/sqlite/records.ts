/** A row that holds a record as JSON. */
export interface RecordRow {
  record: string
}

/** The record of a row, a copy of the caller's own; null when there is no row. */
export function recordOf<T>(row: RecordRow | undefined): T | null {
  return row === undefined ? null : (JSON.parse(row.record) as T)
}

/** The record with the fields of the change; what is undefined in the change is kept. */
export function changed<T extends object>(record: T, change: Partial<NoInfer<T>>): T {
  return { ...record, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
}
