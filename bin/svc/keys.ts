import type { ApiKey, ApiKeyWithValue } from '../../schemas/api-key.ts'
import { listOption, stringOption, UsageError, type Command } from './command.ts'

export const keysCreate: Command = {
  usage: 'keys create --name NAME [--account ACCOUNT] [--scopes SCOPE,…] [--projects ID,…] [--expires-at TIME]',
  summary: 'Create an API key and print its value.',
  details: 'The value cannot be shown again.',
  options: {
    name: { type: 'string' },
    account: { type: 'string' },
    scopes: { type: 'string' },
    projects: { type: 'string' },
    'expires-at': { type: 'string' }
  },
  async run({ options, adminClient, print }) {
    const name = stringOption(options, 'name')
    if (name === undefined) throw new UsageError('--name is required: a label for the key.')
    const key = await (await adminClient()).call<ApiKeyWithValue>('POST', '/api/keys', {
      account: stringOption(options, 'account', 'demo'),
      body: {
        name,
        scopes: listOption(options, 'scopes'),
        projectIds: listOption(options, 'projects'),
        expiresAt: stringOption(options, 'expires-at')
      }
    })
    print(key, [key.key!])
    return 0
  }
}

export const keysList: Command = {
  usage: 'keys list [--account ACCOUNT]',
  summary: 'List the API keys of an account, without their values.',
  options: { account: { type: 'string' } },
  async run({ options, adminClient, print }) {
    const { keys } = await (await adminClient()).call<{ keys: ApiKey[] }>('GET', '/api/keys', {
      account: stringOption(options, 'account', 'demo')
    })
    const lines = keys.map(({ id, name, prefix, last4, status, scopes, lastUsedAt }) => {
      const value = `${prefix}…${last4}`
      return `${id}  ${value}  ${status.padEnd(8)}  last used ${lastUsedAt ?? 'never'}  ${name}  (${scopes.join(' ')})`
    })
    print({ keys }, lines)
    return 0
  }
}
