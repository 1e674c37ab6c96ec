import type { Database } from './database.ts'

type Method = (this: unknown, ...parameters: unknown[]) => unknown

/**
 * The store whose methods resolve when their changes are durable. Changes are visible to other calls before that: a
 * crash of the machine can take back what somebody has already read. Calls that change nothing do not wait, unless
 * others make changes while they run.
 */
export function durableStore<Part extends object>(store: Part, db: Database): Part {
  return Object.fromEntries(
    Object.entries(store).map(([name, member]) => {
      if (typeof member === 'function') return [name, durableMethod(member as Method, db)]
      return [name, typeof member === 'object' && member !== null ? durableStore(member as object, db) : member]
    })
  ) as Part
}

function durableMethod(method: Method, db: Database): Method {
  return function (...parameters) {
    const before = db.changes()
    const result = method.apply(this, parameters)
    if (!(result instanceof Promise)) return result
    return result.then((value: unknown) => {
      const after = db.changes()
      return after === before ? value : db.flushed(after).then(() => value)
    })
  }
}
