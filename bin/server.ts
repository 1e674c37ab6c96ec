import module from 'node:module'
import v8 from 'node:v8'

// Compiled modules are stored in the folder NODE_COMPILE_CACHE, or in the temporary folder of the system. Without it,
// every start removes the types of all modules and compiles them again.
module.enableCompileCache()

// After the line above: static imports run before it.
const { start } = await import('./start.ts')

// Less memory after the start (docs/decisions/0006-memory-before-throughput.md). After the import: V8 rejects compiled
// code of other flags.
v8.setFlagsFromString('--optimize-for-size')

await start()

// With that flag, V8 hardly optimizes code: rendering a post takes 2.5 times as long. From now on, only garbage is
// collected earlier than by default.
v8.setFlagsFromString('--no-optimize-for-size')
v8.setFlagsFromString('--heap-growing-percent=30')
