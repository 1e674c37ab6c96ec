import v8 from 'node:v8'
import { start } from './start.ts'

// V8 collects garbage before it asks for more memory: 148 MB instead of 205 at rest, 60 instead of
// 190 more under an import; no slower reads were seen (docs/decisions/0006-memory-before-throughput.md).
v8.setFlagsFromString('--optimize-for-size')

await start()
