import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fp from 'fastify-plugin'
import { PRIVATE_FILE } from '../lib/private-files.ts'

/**
 * The file in DATA_DIR with the process id and the address of the server. The command line uses it
 * to send its requests to the running server.
 */
export const PID_FILE = 'server.json'
export interface PidFile {
  pid: number
  url: string
}

export default fp(
  async (app) => {
    if (app.config.MONGODB_URL !== undefined) return
    const file = path.join(app.config.DATA_DIR, PID_FILE)
    app.addHook('onListen', async () => {
      const address = app.server.address()
      if (address === null || typeof address === 'string') return
      const host =
        address.address === '::' || address.address === '0.0.0.0'
          ? '127.0.0.1'
          : address.family === 'IPv6'
            ? `[${address.address}]`
            : address.address
      const note: PidFile = { pid: process.pid, url: `http://${host}:${address.port}` }
      // A file that a killed process left behind would keep its mode.
      rmSync(file, { force: true })
      writeFileSync(file, JSON.stringify(note), { mode: PRIVATE_FILE })
    })
    app.addHook('onClose', async () => {
      rmSync(file, { force: true })
    })
  },
  { name: 'pid-file', dependencies: ['config', 'store'] }
)
