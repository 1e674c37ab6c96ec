import type { EpochKind } from './port.ts'
import { createSweeper } from './sweeper.ts'

/** The two epochs of an account, and when they were last asked for (microseconds). */
interface Epochs {
  keys: number
  content: number
  seenAt: number
}

/** Keeps the epochs of accounts in the process. */
export interface MemoryEpochs {
  /** The epochs of `account` at `now` (microseconds); missing ones begin here. */
  read: (account: string, now: number) => Readonly<Epochs>
  bump: (account: string, kind: EpochKind, now: number) => number
  clear: () => void
}

/**
 * Makes the table of epochs. Every number given out is above all that were given out before, to
 * whichever account: so an account that was
 * not seen for `keptUs` microseconds can be forgotten, and what begins anew for it can never equal
 * a number that somebody still holds.
 */
export function createMemoryEpochs(keptUs: number): MemoryEpochs {
  const accounts = new Map<string, Epochs>()
  const sweep = createSweeper(accounts, (epochs, now) => epochs.seenAt <= now - keptUs)
  let last = 0

  function next(now: number): number {
    last = Math.max(last + 1, now)
    return last
  }

  function read(account: string, now: number): Epochs {
    sweep(now)
    let epochs = accounts.get(account)
    if (epochs === undefined) {
      const start = next(now)
      epochs = { keys: start, content: start, seenAt: now }
      accounts.set(account, epochs)
    }
    epochs.seenAt = now
    return epochs
  }

  return {
    read,
    bump(account, kind, now) {
      const epochs = read(account, now)
      epochs[kind] = next(now)
      return epochs[kind]
    },
    clear() {
      accounts.clear()
    }
  }
}
