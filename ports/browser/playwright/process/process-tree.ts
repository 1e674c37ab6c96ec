import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Every n-th measurement looks for new processes among the children of all threads. */
const FULL_SCAN_INTERVAL = 4

/** Measures the memory of a process and its descendants again and again. */
export interface MemoryMeter {
  /**
   * Bytes of anonymous and shared memory. Program files, which the kernel can drop, do not count.
   * Memory that two processes share counts twice. 0 on systems without /proc.
   */
  measure: () => Promise<number>
}

/**
 * Creates a meter for a process tree. Reading the tree costs about 40 small files for each process,
 * so most measurements read only the children of main threads, among which all processes of pages
 * are. `fullScanInterval`: 1 reads the whole tree each time.
 */
export function createMemoryMeter(
  pid: number,
  { fullScanInterval = FULL_SCAN_INTERVAL }: { fullScanInterval?: number } = {}
): MemoryMeter {
  let known = new Set([pid])
  let measurements = 0

  async function childrenOf(parent: number, isFullScan: boolean): Promise<number[]> {
    const threads = isFullScan ? await readdir(`/proc/${parent}/task`).catch(() => []) : [String(parent)]
    const lists = await Promise.all(threads.map((thread) => readText(`/proc/${parent}/task/${thread}/children`)))
    return lists.flatMap(parsePids)
  }

  return {
    async measure() {
      const isFullScan = measurements++ % fullScanInterval === 0
      const pids = new Set(isFullScan ? [pid] : known)
      // Sets visit the members that are added during the iteration.
      for (const one of pids) for (const child of await childrenOf(one, isFullScan)) pids.add(child)
      known = pids
      const sizes = await Promise.all([...pids].map(async (one) => parseMemory(await readText(`/proc/${one}/status`))))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
  }
}

/** The descendants of a process, read at once. Empty on systems without /proc. */
export function findDescendants(pid: number): number[] {
  const pids = new Set([pid])
  for (const parent of pids) {
    for (const thread of listSync(`/proc/${parent}/task`)) {
      for (const child of parsePids(readTextSync(`/proc/${parent}/task/${thread}/children`))) pids.add(child)
    }
  }
  pids.delete(pid)
  return [...pids]
}

const parsePids = (text: string): number[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number)

function parseMemory(status: string): number {
  return (fieldOf(status, 'RssAnon') + fieldOf(status, 'RssShmem')) * 1024
}

/** 0 if missing: a process that has ended uses no memory. */
const fieldOf = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

/*
 * A process may end at any time between two reads. Its files are then empty.
 */

const readText = async (file: string): Promise<string> => await readFile(file, 'latin1').catch(() => '')

function readTextSync(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** The names in a folder. Empty if it does not exist. */
export function listSync(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
