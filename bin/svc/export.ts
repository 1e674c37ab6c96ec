import { once } from 'node:events'
import type { Command } from './command.ts'

export const exportCommand: Command = {
  usage: 'export > everything.ndjson',
  summary: 'Write everything as lines of JSON: accounts, projects, keys (without values), blogs, images, products, webhooks (secrets encrypted)',
  options: {},
  async run ({ operator, note }) {
    const counts = new Map<string, number>()
    for await (const line of (await operator()).lines('/api/admin/export')) {
      const { type } = JSON.parse(line) as { type: string }
      counts.set(type, (counts.get(type) ?? 0) + 1)
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
    }
    note(`Exported ${[...counts].map(([type, count]) => `${count} ${type}s`).join(', ')}.`)
    return 0
  }
}
