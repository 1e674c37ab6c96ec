/** The fields of a change that are to be written: what is undefined in it is kept. */
export function changedFields<T extends object>(change: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** So that a reader gets the record without the `_id`, which is made of its key. */
export const WITHOUT_ID = { _id: 0 } as const

/**
 * The `_id` of a record whose key has several parts. They may hold anything, so they are told apart
 * by JSON.
 */
export const compoundId = (...parts: string[]): string => JSON.stringify(parts)
