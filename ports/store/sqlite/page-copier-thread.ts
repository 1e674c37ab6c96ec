import { DatabaseSync } from 'node:sqlite'
import { serveTasks } from '../../../lib/thread-tasks.ts'
import type { CopyError } from './page-copier.ts'

/** It stays open until the thread ends: a new descriptor of the log would not report an earlier error. */
let file: DatabaseSync | undefined

serveTasks({
  /** Makes a checkpoint, which waits for neither readers nor writers. */
  copyPages(location: string): CopyError | null {
    try {
      file ??= new DatabaseSync(location)
      file.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(PASSIVE)')
      return null
    } catch (error) {
      // Messages between threads contain no properties of errors.
      const { message, errcode } = error as CopyError
      if (typeof errcode !== 'number') throw error
      return { message, errcode }
    }
  }
})
