import type { RunCommand } from './command.ts'

export const openapi: RunCommand = async ({ adminClient, stdout }) => {
  const document = await (await adminClient()).call('GET', '/openapi.json')
  stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return 0
}
