import type { Database } from './database.ts'

type Method = (this: unknown, ...parameters: unknown[]) => unknown

/**
 * Methods that write, by their first word. They wait for checkpoints (see `checkpoints.ts`). One that writes and is not
 * recognized here waits in the event loop. `maintain` writes for a long time, with pauses: nothing waits for its end.
 */
const WRITES = new RegExp(
  '^(?:acquire|add|advance|claim|clear|complete|delete|finish|insert|mark|probe|put|record|release|replace|request|' +
    'requeue|rotate|save|set|start|touch|trim|update)'
)

/**
 * The store whose methods resolve when their changes are durable. Changes are visible to other calls before that: a
 * crash of the machine can take back what somebody has already read. Calls that change nothing do not wait, unless
 * others make changes while they run.
 */
export function durableStore<Part extends object>(store: Part, db: Database): Part {
  return Object.fromEntries(
    Object.entries(store).map(([name, member]) => {
      if (typeof member === 'function') return [name, durableMethod(name, member as Method, db)]
      return [name, typeof member === 'object' && member !== null ? durableStore(member as object, db) : member]
    })
  ) as Part
}

function durableMethod(name: string, method: Method, db: Database): Method {
  const isWrite = WRITES.test(name)
  return function (...parameters) {
    const before = db.changes()
    const call = () => method.apply(this, parameters)
    const result = isWrite ? db.write(call as () => Promise<unknown>) : call()
    if (!(result instanceof Promise)) return result
    return result.then((value: unknown) => {
      const after = db.changes()
      return after === before ? value : db.flushed(after).then(() => value)
    })
  }
}
