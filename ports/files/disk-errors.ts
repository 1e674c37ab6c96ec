import { problem } from '../../errors.ts'

/**
 * What the operator can mend, by the code of the system's error (POSIX, errno.h), as a sentence for
 * the caller.
 */
const SENTENCES: Record<string, string> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk is full.',
  EACCES: 'The disk does not let the service write or read.',
  EPERM: 'The disk does not let the service write or read.',
  EROFS: 'The disk does not let the service write or read.',
  EIO: 'The disk does not work.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.'
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null | undefined)?.code

/**
 * The refusal `unavailable`, caused by `error`, where the operator can mend it; otherwise the error
 * itself.
 */
export function diskError(error: unknown): unknown {
  const sentence = SENTENCES[codeOf(error) ?? '']
  return sentence === undefined ? error : problem('unavailable', sentence, { cause: error })
}

/** Does `act`, and gives what `diskError` makes of its errors. */
export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw diskError(error)
  }
}

/** The same, with null where there is no such file. */
export async function orNull<T>(act: () => Promise<T>): Promise<T | null> {
  return await onDisk(async () => {
    try {
      return await act()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
  })
}
