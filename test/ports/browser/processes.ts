import { readdir, readFile } from 'node:fs/promises'

/** The living processes of a group; Linux alone. Zombies wait for the process with id 1. */
export async function groupOf(pid: number): Promise<string[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')))
  // After the name in brackets: state, parent, group.
  return stats
    .filter((stat) => !/^Z/.test(stat.slice(stat.lastIndexOf(')') + 2)))
    .filter((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === pid)
    .map((stat) => stat.slice(0, stat.lastIndexOf(')') + 3))
}

/** Waits until no process of the group is left; gives what is left after the time. */
export async function leftOf(pid: number, withinMs = 3_000): Promise<string[]> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const left = await groupOf(pid)
    if (left.length === 0 || performance.now() > endMs) return left
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
