/**
 * What the work comes to; rejects with an Error when that takes longer than `ms` milliseconds. The
 * work itself goes on, and what becomes of it is not heard any more.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Error(`No answer within ${ms} ms`))
  }, ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
