import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into every test process before its file. tap observes each promise, to find the test whose promise
 * was rejected without a handler. That costs a tenth of the time of the tests. Without it, such a rejection ends
 * the process, and its file fails.
 */
const { createHook } = asyncHooks
asyncHooks.createHook = (hooks) => createHook({ trackPromises: false, ...hooks })
syncBuiltinESMExports()
