/** Values about the store as a whole, by name. They are not exported: each store has its own. */
export interface MetadataStore {
  find: (name: string) => Promise<string | null>
  /**
   * Stores `value` if the current value is `expected`; null: if there is none. Returns whether it
   * was stored. Of concurrent calls with the same `expected`, one succeeds.
   */
  replace: (name: string, expected: string | null, value: string) => Promise<boolean>
}
