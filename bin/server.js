import module from 'node:module'
import v8 from 'node:v8'

// JavaScript, because Node.js removes the types of the first module before this line can enable the cache: that would
// load a parser for TypeScript, which takes 40 ms of CPU time and 14 MB.
//
// Compiled modules are stored in the folder NODE_COMPILE_CACHE, or in the temporary folder of the system. Without it,
// every start removes the types of all modules and compiles them again.
module.enableCompileCache()

// After the line above: static imports run before it.
const { start } = await import('./start.ts')
const { collectWhenIdle } = await import('../lib/idle-memory.ts')

await start()

// Less memory (docs/decisions/0006-memory-before-throughput.md). After the start: while modules are loaded, nearly
// nothing of what is allocated becomes garbage, and collecting takes a sixth of the time.
v8.setFlagsFromString('--heap-growing-percent=30')
collectWhenIdle()
// Compiled modules are also stored if the process is killed later, and what was read of them is released.
module.flushCompileCache()
