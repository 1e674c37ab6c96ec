import { readFileSync } from 'node:fs'

/**
 * How many files and sockets this process may have open at a time. Node.js raises its limit to the hard limit of the
 * system when it starts. Infinity if there is no limit, or if it is unknown.
 */
export function openFileLimit(): number {
  if (process.platform === 'win32') return Infinity
  try {
    // LIMIT SOFT HARD UNITS: https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html
    return parseLimit(/^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  } catch {
    // There is no /proc. The report takes some milliseconds.
    const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    return parseLimit(userLimits?.open_files?.soft)
  }
}

/** `unlimited` and what is missing are no numbers. */
function parseLimit(value: unknown): number {
  const limit = Number(value ?? NaN)
  return Number.isNaN(limit) ? Infinity : limit
}
