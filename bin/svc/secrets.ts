import type { Command } from './command.ts'

interface RotationResult {
  webhooks: number
  reencrypted: number
  unreadable: number
}

export const secretsRotateKey: Command = {
  usage: 'secrets rotate-key',
  summary: 'Re-encrypt all webhook signing secrets with the first SECRETS_KEY.',
  details: 'The service may be running. Afterwards the other keys can be removed from SECRETS_KEY.',
  options: {},
  async run({ adminClient, print }) {
    const result = await (await adminClient()).call<RotationResult>('POST', '/api/admin/secrets/rotate-key')
    const { webhooks, reencrypted, unreadable } = result
    const rest =
      unreadable === 0
        ? 'All secrets use the first SECRETS_KEY; the other keys can be removed.'
        : `${unreadable} secrets cannot be decrypted with any key in SECRETS_KEY and were left unchanged.`
    print({ webhooks, reencrypted, unreadable }, [`${webhooks} webhooks: ${reencrypted} secrets re-encrypted. ${rest}`])
    return unreadable === 0 ? 0 : 1
  }
}
