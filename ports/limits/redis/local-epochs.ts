/**
 * How many accounts are remembered; one that was forgotten has new numbers, so what was kept under
 * the old ones is not trusted.
 */
const MOST_ACCOUNTS = 100_000

/**
 * What an account's epochs are called here. `raw` is what the shared log tells: "<keys> <content>".
 */
interface Known {
  generation: number
  raw: string
  keys: number
  content: number
}

export type LocalEpochs = ReturnType<typeof createLocalEpochs>

/**
 * Gives the epochs that are told numbers of this process, which never repeat. The shared numbers
 * alone could: a server that was restored from an old snapshot
 * tells one that was in use before. So the same number told over another connection is another
 * number here.
 */
export function createLocalEpochs(now: () => number, most = MOST_ACCOUNTS) {
  const accounts = new Map<string, Known>()
  let last = 0

  function issue(): number {
    last = Math.max(last + 1, now())
    return last
  }

  return {
    /** The numbers for what was told of the account over the connection `generation`. */
    of(account: string, raw: string, generation: number): Readonly<Known> {
      const known = accounts.get(account)
      if (known !== undefined && known.generation === generation && known.raw === raw) return known
      const [keys, content] = raw.split(' ')
      const [knownKeys, knownContent] = known?.generation === generation ? known.raw.split(' ') : []
      const next: Known = {
        generation,
        raw,
        keys: keys === knownKeys ? known!.keys : issue(),
        content: content === knownContent ? known!.content : issue()
      }
      accounts.delete(account)
      accounts.set(account, next)
      if (accounts.size > most) accounts.delete(accounts.keys().next().value!)
      return next
    }
  }
}
