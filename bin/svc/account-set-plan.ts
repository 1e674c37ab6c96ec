import { PLAN_NAMES, type Account } from '../../schemas/account.ts'
import { accountLines, accountPath } from './account-lines.ts'
import { UsageError, type Command } from './command.ts'

export const accountSetPlan: Command = {
  usage: `account set-plan A ${PLAN_NAMES.join('|')}`,
  summary: "Set an account's plan; in force at once",
  options: {},
  async run({ words: [account, plan], operator, tell }) {
    if (account === undefined || plan === undefined) throw new UsageError('An account and a plan are required.')
    const shown = await (await operator()).call<Account>('PATCH', accountPath(account), { body: { plan } })
    tell(shown, accountLines(shown))
    return 0
  }
}
