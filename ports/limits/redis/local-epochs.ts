/**
 * The maximum of accounts in memory. A forgotten account gets new numbers, so that caches do not
 * trust what they stored under the old ones.
 */
const MAX_ACCOUNTS = 100_000

/** The local numbers for the epochs of an account. `shared` is the text in Redis: "<keys> <content>". */
interface LocalNumbers {
  generation: number
  shared: string
  keys: number
  content: number
}

/**
 * Maps the epochs in Redis to numbers of this process that never repeat. The numbers in Redis could
 * repeat: a server restored from an old snapshot returns one that was in use before. Therefore the
 * same shared number gets another local number on another connection (`generation`).
 */
export function createLocalEpochs(now: () => number, maxAccounts = MAX_ACCOUNTS) {
  const accounts = new Map<string, LocalNumbers>()
  let last = 0

  function issue(): number {
    last = Math.max(last + 1, now())
    return last
  }

  return {
    /** The local numbers for the epochs that Redis returned over the connection `generation`. */
    get(account: string, shared: string, generation: number): Readonly<LocalNumbers> {
      const known = accounts.get(account)
      if (known !== undefined && known.generation === generation && known.shared === shared) return known
      const [keys, content] = shared.split(' ')
      const [knownKeys, knownContent] = known?.generation === generation ? known.shared.split(' ') : []
      const next: LocalNumbers = {
        generation,
        shared,
        keys: keys === knownKeys ? known!.keys : issue(),
        content: content === knownContent ? known!.content : issue()
      }
      accounts.delete(account)
      accounts.set(account, next)
      if (accounts.size > maxAccounts) accounts.delete(accounts.keys().next().value!)
      return next
    }
  }
}
