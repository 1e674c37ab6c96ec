/**
 * Resolves as `promise` does, or rejects when it has not been settled after so many milliseconds.
 * Where the process itself was busy that long, an answer
 * that has arrived meanwhile still counts: it is read before the time is said to be over.
 */
export function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        reject(new Error(`No answer within ${ms} ms`))
      })
    }, ms)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })
}
