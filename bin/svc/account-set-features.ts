import { FEATURES, type Account } from '../../schemas/account.ts'
import { accountLines, accountPath } from './account-lines.ts'
import { UsageError, type Command } from './command.ts'

export const accountSetFeatures: Command = {
  usage: 'account set-features A f,g,…',
  summary: `Set which features an account has (${FEATURES.join(', ')})`,
  options: {},
  async run({ words: [account, features], operator, tell }) {
    if (account === undefined || features === undefined) {
      throw new UsageError('An account and a list of features are required; "" for none.')
    }
    const shown = await (await operator()).call<Account>('PATCH', accountPath(account), {
      body: { features: features.split(',').filter((word) => word !== '') }
    })
    tell(shown, accountLines(shown))
    return 0
  }
}
