import { readdir, readFile } from 'node:fs/promises'

/**
 * What a process and all below it hold in memory, shared pages counted for each that has them; null
 * where the system has no /proc.
 */
export async function residentBytes(pid: number): Promise<number | null> {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return null
  // Processes come and go while one looks.
  const texts = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readFile(`/proc/${name}/status`, 'latin1').catch(() => ''))
  )
  const processes = texts.map((text) => ({
    pid: field(text, 'Pid'),
    parent: field(text, 'PPid'),
    bytes: field(text, 'VmRSS') * 1024
  }))
  const tree = new Set([pid])
  for (let before = 0; before < tree.size; ) {
    before = tree.size
    for (const one of processes) if (tree.has(one.parent)) tree.add(one.pid)
  }
  return processes.reduce((sum, one) => (tree.has(one.pid) ? sum + one.bytes : sum), 0)
}

/** 0 where there is none: a process that has ended holds nothing. */
function field(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
