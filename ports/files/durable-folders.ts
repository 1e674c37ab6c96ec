import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'

/**
 * So many folders are remembered as durable before all are forgotten; forgetting only costs a
 * flush.
 */
const MOST_REMEMBERED = 10_000

/** Makes folders, and flushes to disk which names are in them. */
export interface DurableFolders {
  /**
   * Makes `folder`, which lies below the root, with all above it; resolves when they will outlive a
   * loss of power.
   */
  make: (folder: string) => Promise<void>
  /** Forgets what is known: to be called before and after a folder is moved away. */
  forget: () => void
}

/**
 * Keeps in mind which folders were flushed by this process, so that a put into a known folder
 * flushes only its own name.
 */
export function createDurableFolders(root: string): DurableFolders {
  const known = new Set<string>()
  // A folder that is moved away while it is being flushed must not be remembered.
  let generation = 0
  return {
    async make(folder) {
      const begun = generation
      if ((await mkdir(folder, { recursive: true })) === undefined && known.has(folder)) return
      for (let above = folder; above !== root; ) await flushFolder((above = path.dirname(above)))
      if (generation !== begun) return
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.add(folder)
    },
    forget() {
      generation += 1
      known.clear()
    }
  }
}

/**
 * Makes `folder` with all above it; resolves when what had to be made will outlive a loss of power.
 */
export async function makeRoot(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made === undefined) return
  for (let above = folder; above !== path.dirname(made); ) await flushFolder((above = path.dirname(above)))
}

/**
 * Resolves when the names in `folder` are on the disk (fsync(2): that of a file does not flush its
 * name). Windows has no such call for folders.
 */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
