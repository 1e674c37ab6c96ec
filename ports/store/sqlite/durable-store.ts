import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from '../port.ts'
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

/** Work whose caller waits for the disk itself. */
const deferral = new AsyncLocalStorage<{ isOver: boolean }>()

/**
 * The store whose methods resolve when their changes are durable. Changes are visible to other calls before that: a
 * crash of the machine can take back what somebody has already read. Calls that change nothing do not wait, unless
 * others make changes while they run.
 */
export function durableStore(store: Store, db: Database): Store {
  return {
    ...durableMethods(store, db),
    async durable() {
      const current = deferral.getStore()
      if (current !== undefined) current.isOver = true
      await db.flushed(db.changes())
    },
    // Even in a request that waits for nothing.
    async probe() {
      await store.probe()
      await db.flushed(db.changes())
    },
    deferDurability: (work) => deferral.run({ isOver: false }, work)
  }
}

function durableMethods<Part extends object>(store: Part, db: Database): Part {
  return Object.fromEntries(
    Object.entries(store).map(([name, member]) => {
      if (typeof member === 'function') return [name, durableMethod(name, member as Method, db)]
      return [name, typeof member === 'object' && member !== null ? durableMethods(member as object, db) : member]
    })
  ) as Part
}

function durableMethod(name: string, method: Method, db: Database): Method {
  const isWrite = WRITES.test(name)
  return function (...parameters) {
    const before = db.changes()
    const current = deferral.getStore()
    const call = () => method.apply(this, parameters)
    const result = isWrite ? db.write(call as () => Promise<unknown>, current !== undefined) : call()
    if (!(result instanceof Promise)) return result
    return result.then((value: unknown) => {
      const after = db.changes()
      if (after === before || current?.isOver === false) return value
      return db.flushed(after).then(() => value)
    })
  }
}
