import module from 'node:module'
import v8 from 'node:v8'

// Compiled modules are stored in the folder NODE_COMPILE_CACHE, or in the temporary folder of the system. Without it,
// every start removes the types of all modules and compiles them again.
module.enableCompileCache()

// After the line above: static imports run before it.
const { start } = await import('./start.ts')

// Lets V8 collect garbage before it grows the heap: 148 MB instead of 205 MB when idle, and 60 MB
// instead of 190 MB more during an import, without slower reads
// (docs/decisions/0006-memory-before-throughput.md). After the import: V8 rejects compiled code of other flags.
v8.setFlagsFromString('--optimize-for-size')

await start()
