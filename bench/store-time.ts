/**
 * Records how long the commands of this process to MongoDB take. For measurements: on a server that
 * executes one command at a time, most of the time of a command is the time of those before it.
 */
import { MongoClient } from 'mongodb'

interface Command {
  /** Whether the command names the account of the action. */
  isOwn: boolean
  startMs: number
  endMs: number
}

export interface StoreTime {
  /** Milliseconds of a span in which at least one command of the account was in progress. */
  between: (startMs: number, endMs: number) => number
  clear: () => void
}

/**
 * Starts recording. To be called before the first client connects, with `monitorCommands=true` in
 * its URL. Commands of the account are those whose JSON contains its id.
 */
export function recordStoreTime(accountId: string): StoreTime {
  const commands: Command[] = []
  const started = new Map<string, Command>()
  const keyOf = ({ connectionId, requestId }: { connectionId?: unknown; requestId: number }) =>
    `${String(connectionId)} ${requestId}`

  function observe(client: MongoClient): void {
    client.on('commandStarted', (event) => {
      const isOwn = JSON.stringify(event.command, withoutBigInt).includes(`"${accountId}`)
      started.set(keyOf(event), { isOwn, startMs: performance.now(), endMs: Infinity })
    })
    const end = (event: { connectionId?: unknown; requestId: number }): void => {
      const command = started.get(keyOf(event))
      if (command === undefined) return
      started.delete(keyOf(event))
      command.endMs = performance.now()
      if (command.isOwn) commands.push(command)
    }
    client.on('commandSucceeded', end)
    client.on('commandFailed', end)
  }

  const connect = MongoClient.prototype.connect
  const observed = new WeakSet<MongoClient>()
  MongoClient.prototype.connect = async function (this: MongoClient) {
    if (!observed.has(this)) observe(this)
    observed.add(this)
    return await connect.call(this)
  }

  return {
    between(startMs, endMs) {
      let [total, coveredTo] = [0, startMs]
      for (const command of commands.toSorted((a, b) => a.startMs - b.startMs)) {
        const from = Math.max(command.startMs, coveredTo)
        const to = Math.min(command.endMs, endMs)
        if (to <= from) continue
        total += to - from
        coveredTo = to
      }
      return total
    },
    clear() {
      commands.length = 0
    }
  }
}

const withoutBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
