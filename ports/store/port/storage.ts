/** What an account has stored. Bytes are those of records and of uploaded files. */
export interface StorageUsage {
  bytes: number
  blogs: number
  products: number
  images: number
}

export interface StorageStore {
  /**
   * Measures what the account has stored: blogs, products, images with their originals, the uploads
   * of unfinished imports, and the failed rows of imports.
   */
  measure: (accountId: string) => Promise<StorageUsage>
}
