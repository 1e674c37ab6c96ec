import type { ApiKey } from '../../schemas/api-key.ts'
import { text, type Command } from './command.ts'

export const keysList: Command = {
  usage: 'keys list [--account A]',
  summary: "List an account's API keys, without their values",
  options: { account: { type: 'string' } },
  async run({ values, operator, tell }) {
    const { keys } = await (await operator()).call<{ keys: ApiKey[] }>('GET', '/api/keys', {
      account: text(values, 'account', 'demo')
    })
    tell(
      { keys },
      keys.map(
        ({ id, name, prefix, last4, status, scopes, lastUsedAt }) =>
          `${id}  ${prefix}…${last4}  ${status.padEnd(8)}  used ${lastUsedAt ?? 'never'}  ${name}  (${scopes.join(' ')})`
      )
    )
    return 0
  }
}
