import { spawn } from 'node:child_process'
import { once } from 'node:events'

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler']
}

/**
 * Opens a file with the program that this machine has for it, and does not wait for that; false
 * where there is no opener.
 */
export async function openFile(file: string): Promise<boolean> {
  const [opener, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(opener!, [...args, file], { detached: true, stdio: 'ignore' })
  try {
    await once(child, 'spawn')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn') === true) return false
    throw error
  }
  child.unref()
  return true
}
