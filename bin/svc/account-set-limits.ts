import type { Account } from '../../schemas/account.ts'
import { accountLines, accountPath } from './account-lines.ts'
import { UsageError, text, type Command } from './command.ts'

export const accountSetLimits: Command = {
  usage: 'account set-limits A --requests-per-hour N|plan',
  summary: 'Give an account a limit of its own, or the one of its plan again',
  options: { 'requests-per-hour': { type: 'string' } },
  async run({ words: [account], values, operator, tell }) {
    const given = text(values, 'requests-per-hour')
    if (account === undefined || given === undefined) {
      throw new UsageError('An account and --requests-per-hour are required.')
    }
    const requestsPerHour = given === 'plan' ? null : Number(given)
    if (requestsPerHour !== null && !Number.isInteger(requestsPerHour)) {
      throw new UsageError('--requests-per-hour is a whole number, or "plan".')
    }
    const shown = await (await operator()).call<Account>('PATCH', accountPath(account), { body: { requestsPerHour } })
    tell(shown, accountLines(shown))
    return 0
  }
}
