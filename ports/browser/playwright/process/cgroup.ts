import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A control group whose memory the kernel limits: https://docs.kernel.org/admin-guide/cgroup-v2.html */
export interface MemoryGroup {
  /** Moves a process into the group. Its future children start in it. False if that is not allowed. */
  add: (pid: number) => Promise<boolean>
  /** Whether the kernel has killed a process of the group because of the limit. */
  wasOutOfMemory: () => Promise<boolean>
  /** Kills all processes of the group. */
  kill: () => Promise<void>
  /** Removes the group when its processes have ended. */
  remove: () => Promise<void>
}

export interface MemoryGroupOptions {
  maxBytes: number
  /** Where cgroup v2 is mounted. */
  root?: string
  /** Describes the group of this process. */
  ownGroupFile?: string
}

const REMOVE_ATTEMPTS = 50
const REMOVE_INTERVAL_MS = 40

/**
 * Creates a control group below the one of this process, or beside it. Null if the kernel has no
 * cgroup v2, or if no group with a memory controller is delegated to this user. systemd delegates
 * one with `Delegate=memory` and `DelegateSubgroup=service`.
 */
export async function createMemoryGroup({
  maxBytes,
  root = '/sys/fs/cgroup',
  ownGroupFile = '/proc/self/cgroup'
}: MemoryGroupOptions): Promise<MemoryGroup | null> {
  const own = /^0::(\/.*)$/m.exec(await readFile(ownGroupFile, 'utf8').catch(() => ''))?.[1]
  if (own === undefined) return null
  // A group with processes cannot limit the memory of groups below it, except for the root.
  for (const parent of new Set([path.join(root, own), path.join(root, path.dirname(own))])) {
    const folder = await createGroup(parent, maxBytes)
    if (folder !== null) return openGroup(folder)
  }
  return null
}

/** Null if the parent is not delegated to this user, or does not control memory. */
async function createGroup(parent: string, maxBytes: number): Promise<string | null> {
  const controllers = await readFile(path.join(parent, 'cgroup.subtree_control'), 'utf8').catch(() => '')
  if (!controllers.split(/\s+/).includes('memory')) return null
  const folder = path.join(parent, `browser-${randomUUID()}`)
  try {
    await mkdir(folder)
  } catch {
    return null // Read-only, or not delegated.
  }
  try {
    await writeFile(path.join(folder, 'memory.max'), String(maxBytes))
    // All processes end together: a browser without one of its parts would only hang.
    await writeFile(path.join(folder, 'memory.oom.group'), '1')
    // Not all kernels account for swap.
    await writeFile(path.join(folder, 'memory.swap.max'), '0').catch(() => {})
    return folder
  } catch {
    await rmdir(folder).catch(() => {})
    return null
  }
}

function openGroup(folder: string): MemoryGroup {
  return {
    add: async (pid) =>
      await writeFile(path.join(folder, 'cgroup.procs'), String(pid)).then(
        () => true,
        () => false
      ),
    async wasOutOfMemory() {
      const events = await readFile(path.join(folder, 'memory.events'), 'utf8').catch(() => '')
      return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0
    },
    async kill() {
      // Kernels before 5.14 lack this file. The caller also kills the process groups.
      await writeFile(path.join(folder, 'cgroup.kill'), '1').catch(() => {})
    },
    async remove() {
      for (let attempt = 1; attempt <= REMOVE_ATTEMPTS; attempt++) {
        const error = await rmdir(folder).then(
          () => null,
          (error: NodeJS.ErrnoException) => error
        )
        if (error?.code !== 'EBUSY') return
        await delay(REMOVE_INTERVAL_MS)
      }
    }
  }
}
