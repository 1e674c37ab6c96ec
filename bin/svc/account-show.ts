import type { Account } from '../../schemas/account.ts'
import { accountLines, accountPath } from './account-lines.ts'
import type { Command } from './command.ts'

export const accountShow: Command = {
  usage: 'account show [A]',
  summary: 'Show an account: plan, limit, features',
  options: {},
  async run({ words: [account = 'demo'], operator, tell }) {
    const shown = await (await operator()).call<Account>('GET', accountPath(account))
    tell(shown, accountLines(shown))
    return 0
  }
}
