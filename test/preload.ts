import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into every test process before its file. tap observes each promise, to find the test whose promise
 * was rejected without a handler. That costs up to a tenth of the CPU time of the tests. Without it, such a
 * rejection fails the file.
 */
const { createHook } = asyncHooks
asyncHooks.createHook = (hooks) => createHook({ trackPromises: false, ...hooks })
syncBuiltinESMExports()
