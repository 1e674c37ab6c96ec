/** Which role each column of a CSV has in its dialect; null: it is not taken over. */
export type Columns = (string | null)[]

/** The role of the column that our files of failed rows have more; reading passes over it. */
export const ERROR_COLUMN = 'import_error'

/** Where the roles are; a role that several columns may have gives the places of all of them. */
export function placesOf(columns: Columns): { one: (role: string) => number; all: (role: string) => number[] } {
  return {
    one: (role) => columns.indexOf(role),
    all: (role) => columns.flatMap((column, place) => (column === role ? [place] : []))
  }
}

/** A header's name as the dialects compare it. */
export function plainName(header: string): string {
  return header.trim().toLowerCase()
}
