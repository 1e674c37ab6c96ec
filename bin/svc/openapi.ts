import type { Command } from './command.ts'

export const openapi: Command = {
  usage: 'openapi',
  summary: 'Print the OpenAPI document of the interface',
  options: {},
  async run({ operator }) {
    const document = await (await operator()).call('GET', '/openapi.json')
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return 0
  }
}
