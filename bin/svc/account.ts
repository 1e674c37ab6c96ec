import { FEATURES, PLAN_NAMES, type Account } from '../../schemas/account.ts'
import type { AdminClient } from './admin-client.ts'
import { stringOption, UsageError, type Command } from './command.ts'

/** The address of an account in the administration API. */
export const accountPath = (account: string): string => `/api/admin/accounts/${encodeURIComponent(account)}`

const describe = ({ id, plan, requestsPerHour, features, knownProjectsOnly, createdAt }: Account): string[] => [
  `account    ${id}`,
  `plan       ${plan}`,
  `limit      ${requestsPerHour} requests per hour`,
  `features   ${features.join(', ')}`,
  `projects   ${knownProjectsOnly ? 'existing projects only' : 'created by the first write that names them'}`,
  `created    ${createdAt}`
]

const update = async (client: AdminClient, account: string, body: object): Promise<Account> =>
  await client.call<Account>('PATCH', accountPath(account), { body })

export const accountShow: Command = {
  usage: 'account show [ACCOUNT]',
  summary: 'Show the plan, the request limit and the features of an account.',
  options: {},
  async run({ args: [id = 'demo'], adminClient, print }) {
    const account = await (await adminClient()).call<Account>('GET', accountPath(id))
    print(account, describe(account))
    return 0
  }
}

export const accountSetPlan: Command = {
  usage: `account set-plan ACCOUNT ${PLAN_NAMES.join('|')}`,
  summary: 'Change the plan of an account, effective immediately.',
  options: {},
  async run({ args: [id, plan], adminClient, print }) {
    if (id === undefined || plan === undefined) throw new UsageError('ACCOUNT and a plan are required.')
    const account = await update(await adminClient(), id, { plan })
    print(account, describe(account))
    return 0
  }
}

export const accountSetLimits: Command = {
  usage: 'account set-limits ACCOUNT --requests-per-hour NUMBER|plan',
  summary: 'Override the hourly request limit of an account.',
  details: '"plan" restores the limit of the plan.',
  options: { 'requests-per-hour': { type: 'string' } },
  async run({ args: [id], options, adminClient, print }) {
    const value = stringOption(options, 'requests-per-hour')
    if (id === undefined || value === undefined) {
      throw new UsageError('ACCOUNT and --requests-per-hour are required.')
    }
    const requestsPerHour = value === 'plan' ? null : Number(value)
    if (requestsPerHour !== null && !Number.isInteger(requestsPerHour)) {
      throw new UsageError('--requests-per-hour must be a whole number or "plan".')
    }
    const account = await update(await adminClient(), id, { requestsPerHour })
    print(account, describe(account))
    return 0
  }
}

export const accountSetFeatures: Command = {
  usage: 'account set-features ACCOUNT FEATURE,…',
  summary: 'Set the features of an account.',
  details: `Features: ${FEATURES.join(', ')}. An empty string removes all.`,
  options: {},
  async run({ args: [id, list], adminClient, print }) {
    if (id === undefined || list === undefined) {
      throw new UsageError('ACCOUNT and a comma-separated list of features are required; use "" for none.')
    }
    const features = list.split(',').filter((feature) => feature !== '')
    const account = await update(await adminClient(), id, { features })
    print(account, describe(account))
    return 0
  }
}
