import { problem } from '../../../errors.ts'

/** Errors that an operator can fix, by the system's error code (POSIX errno.h). */
const DETAILS: Record<string, string> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is exceeded.',
  EACCES: 'The service has no permission to read or write its files.',
  EPERM: 'The service has no permission to read or write its files.',
  EROFS: 'The file system is read-only.',
  EIO: 'The disk reports an I/O error.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.'
}

const getCode = (error: unknown): string | undefined => (error as { code?: string } | null | undefined)?.code

/** `unavailable`, caused by `error`, when an operator can fix it. Any other error unchanged. */
export function translateError(error: unknown): unknown {
  const detail = DETAILS[getCode(error) ?? '']
  return detail === undefined ? error : problem('unavailable', detail, { cause: error })
}

/** Runs the operation and translates its errors. */
export async function onDisk<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw translateError(error)
  }
}

/** Like `onDisk`, but resolves with null when the file does not exist. */
export async function orNull<T>(operation: () => Promise<T>): Promise<T | null> {
  return await onDisk(async () => {
    try {
      return await operation()
    } catch (error) {
      if (getCode(error) === 'ENOENT') return null
      throw error
    }
  })
}
