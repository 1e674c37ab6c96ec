import type { ApiKeyWithValue } from '../../schemas/api-key.ts'
import { UsageError, text, type Command } from './command.ts'

export const keysCreate: Command = {
  usage: 'keys create --name N [--account A] [--scopes a,b] [--projects p,q] [--expires-at T]',
  summary: 'Make an API key and print its value, for the only time',
  options: {
    name: { type: 'string' },
    account: { type: 'string' },
    scopes: { type: 'string' },
    projects: { type: 'string' },
    'expires-at': { type: 'string' }
  },
  async run({ values, operator, tell }) {
    const name = text(values, 'name')
    if (name === undefined) throw new UsageError('--name is required: what the key is for.')
    const list = (option: string) =>
      text(values, option)
        ?.split(',')
        .map((word) => word.trim())
    const key = await (await operator()).call<ApiKeyWithValue>('POST', '/api/keys', {
      account: text(values, 'account', 'demo'),
      body: { name, scopes: list('scopes'), projectIds: list('projects'), expiresAt: text(values, 'expires-at') }
    })
    tell(key, [key.key!])
    return 0
  }
}
