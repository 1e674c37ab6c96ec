import module from 'node:module'
import path from 'node:path'

/**
 * The environment with which a thread or child process uses the compiled modules of this process. Otherwise it
 * removes the types of all its modules and compiles them again, which takes most of its start. Empty if this
 * process has no compile cache.
 */
export function compileCacheEnvironment(): { NODE_COMPILE_CACHE?: string } {
  // The folder of this version of Node.js, inside the configured one.
  const folder = module.getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) }
}
