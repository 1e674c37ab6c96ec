import type { ApiKey, ApiKeyWithValue } from '../../schemas/api-key.ts'
import { listOption, stringOption, timeOption, UsageError, type RunCommand } from './command.ts'

export const keysCreate: RunCommand = async ({ options, adminClient, print }) => {
  const name = stringOption(options, 'name')
  if (name === undefined) throw new UsageError('--name is required: a label for the key.')
  const key = await (await adminClient()).call<ApiKeyWithValue>('POST', '/api/keys', {
    account: stringOption(options, 'account', 'demo'),
    body: {
      name,
      scopes: listOption(options, 'scopes'),
      projectIds: listOption(options, 'projects'),
      expiresAt: timeOption(options, 'expires-at')
    }
  })
  print(key, [key.key!])
  return 0
}

export const keysList: RunCommand = async ({ options, adminClient, print }) => {
  const { keys } = await (await adminClient()).call<{ keys: ApiKey[] }>('GET', '/api/keys', {
    account: stringOption(options, 'account', 'demo')
  })
  const lines = keys.map(({ id, name, prefix, last4, status, scopes, lastUsedAt }) => {
    const value = `${prefix}…${last4}`
    const lastUse = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`
    return `${id}  ${value}  ${status.padEnd(8)}  ${lastUse}  ${name}  (${scopes.join(' ')})`
  })
  print({ keys }, lines.length === 0 ? ['No API keys.'] : lines)
  return 0
}
