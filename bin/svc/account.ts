import { STORAGE_RESOURCES, type Account } from '../../schemas/account.ts'
import type { AdminClient } from './admin-client.ts'
import { stringOption, UsageError, type RunCommand } from './command.ts'
import { countOf } from './output.ts'

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
  `limit      ${countOf(requestsPerHour, 'request')} per hour${countNotModified ? '' : ', 304 responses not counted'}`,
  `storage    ${STORAGE_RESOURCES.map((name) => countOf(storage[name], name.replace(/s$/, ''))).join(', ')}`,
  `features   ${features.join(', ')}`,
  `projects   ${knownProjectsOnly ? 'existing projects only' : 'created by the first write that names them'}`,
  `created    ${createdAt}`
]

const update = async (client: AdminClient, account: string, body: object): Promise<Account> =>
  await client.call<Account>('PATCH', accountPath(account), { body })

export const accountShow: RunCommand = async ({ args: [id = 'demo'], adminClient, print }) => {
  const account = await (await adminClient()).call<Account>('GET', accountPath(id))
  print(account, describe(account))
  return 0
}

export const accountSetPlan: RunCommand = async ({ args: [id = '', plan], adminClient, print }) => {
  const account = await update(await adminClient(), id, { plan })
  print(account, describe(account))
  return 0
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

export const accountSetLimits: RunCommand = async ({ args: [id = ''], options, adminClient, print }) => {
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
  if (Object.keys(change).length === 0) throw new UsageError('At least one limit is required.')
  const account = await update(await adminClient(), id, change)
  print(account, describe(account))
  return 0
}

export const accountSetFeatures: RunCommand = async ({ args: [id = '', list = ''], adminClient, print }) => {
  const features = list.split(',').filter((feature) => feature !== '')
  const account = await update(await adminClient(), id, { features })
  print(account, describe(account))
  return 0
}
