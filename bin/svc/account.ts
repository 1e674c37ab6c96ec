import { FEATURES, PLAN_NAMES, STORAGE_RESOURCES, type Account } from '../../schemas/account.ts'
import type { AdminClient } from './admin-client.ts'
import { stringOption, UsageError, type Command } from './command.ts'

/** The address of an account in the administration API. */
export const accountPath = (account: string): string => `/api/admin/accounts/${encodeURIComponent(account)}`

const describe = ({
  id,
  plan,
  requestsPerHour,
  features,
  storage,
  countNotModified,
  knownProjectsOnly,
  createdAt
}: Account): string[] => [
  `account    ${id}`,
  `plan       ${plan}`,
  `limit      ${requestsPerHour} requests per hour${countNotModified ? '' : ', 304 responses not counted'}`,
  `storage    ${STORAGE_RESOURCES.map((name) => `${storage[name].toLocaleString('en')} ${name}`).join(', ')}`,
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

/** The storage options by the name of the limit. */
const STORAGE_OPTIONS = { bytes: 'storage-bytes', blogs: 'blogs', products: 'products', images: 'images' } as const

/** A whole number, or null for "plan". Undefined if the option is not given. */
function limitOption(options: Parameters<typeof stringOption>[0], name: string): number | null | undefined {
  const value = stringOption(options, name)
  if (value === undefined) return undefined
  if (value === 'plan') return null
  if (!/^\d+$/.test(value)) throw new UsageError(`--${name} must be a whole number or "plan".`)
  return Number(value)
}

/** Undefined if the option is not given. */
function switchOption(options: Parameters<typeof stringOption>[0], name: string): boolean | undefined {
  const value = stringOption(options, name)
  if (value !== undefined && value !== 'yes' && value !== 'no') throw new UsageError(`--${name} must be "yes" or "no".`)
  return value === undefined ? undefined : value === 'yes'
}

export const accountSetLimits: Command = {
  usage:
    'account set-limits ACCOUNT [--requests-per-hour NUMBER|plan] [--storage-bytes NUMBER|plan] ' +
    '[--blogs NUMBER|plan] [--products NUMBER|plan] [--images NUMBER|plan] [--count-not-modified yes|no]',
  summary: 'Override the hourly request limit and the storage limits of an account.',
  details:
    '"plan" restores the limit of the plan. Limits that are not given stay as they are. With "--count-not-modified ' +
    'no", 304 responses to unchanged content do not count against the hourly request limit.',
  options: {
    'requests-per-hour': { type: 'string' },
    'count-not-modified': { type: 'string' },
    ...Object.fromEntries(Object.values(STORAGE_OPTIONS).map((name) => [name, { type: 'string' as const }]))
  },
  async run({ args: [id], options, adminClient, print }) {
    const requestsPerHour = limitOption(options, 'requests-per-hour')
    const countNotModified = switchOption(options, 'count-not-modified')
    const storage = Object.fromEntries(
      STORAGE_RESOURCES.map((name) => [name, limitOption(options, STORAGE_OPTIONS[name])]).filter(
        ([, limit]) => limit !== undefined
      )
    )
    const change = {
      ...(requestsPerHour === undefined ? {} : { requestsPerHour }),
      ...(countNotModified === undefined ? {} : { countNotModified }),
      ...(Object.keys(storage).length === 0 ? {} : { storage })
    }
    if (id === undefined || Object.keys(change).length === 0) {
      throw new UsageError('ACCOUNT and at least one limit are required.')
    }
    const account = await update(await adminClient(), id, change)
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
