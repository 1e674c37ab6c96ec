import type { Command } from './command.ts'

export const openapi: Command = {
  usage: 'openapi',
  summary: 'Print the OpenAPI document of the API.',
  options: {},
  async run({ adminClient, stdout }) {
    const document = await (await adminClient()).call('GET', '/openapi.json')
    stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    return 0
  }
}
