import type { Command } from './command.ts'

export const secretsReseal: Command = {
  usage: 'secrets reseal',
  summary:
    'Encrypt the signing secrets of all webhooks by the first SECRETS_KEY, so that the others can be dropped. May run while the service does',
  options: {},
  async run({ operator, tell }) {
    const { webhooks, resealed, unreadable } = await (await operator()).call<{
      webhooks: number
      resealed: number
      unreadable: number
    }>('POST', '/api/admin/secrets/reseal')
    const rest =
      unreadable === 0
        ? 'The first SECRETS_KEY opens all.'
        : `${unreadable} are encrypted by none of the keys in SECRETS_KEY, and were left as they are.`
    tell({ webhooks, resealed, unreadable }, [`${webhooks} webhooks: ${resealed} secrets encrypted anew. ${rest}`])
    return unreadable === 0 ? 0 : 1
  }
}
