#!/usr/bin/env node
import module from 'node:module'

// Must be called before the command's modules are loaded: it saves a third of their loading time.
module.enableCompileCache()

const { readEnvironment } = await import('../plugins/config/environment.ts')
const { runCommand } = await import('./svc/main.ts')

const { stdin, stdout, stderr } = process
process.exitCode = await runCommand(process.argv.slice(2), { env: readEnvironment(), stdin, stdout, stderr })
