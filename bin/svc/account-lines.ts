import type { Account } from '../../schemas/account.ts'

/** An account for people to read. */
export const accountLines = ({ id, plan, requestsPerHour, features, knownProjectsOnly, createdAt }: Account) => [
  `account    ${id}`,
  `plan       ${plan}`,
  `limit      ${requestsPerHour} requests an hour`,
  `features   ${features.join(', ')}`,
  `projects   ${knownProjectsOnly ? 'known ones only' : 'made by the first write that names them'}`,
  `since      ${createdAt}`
]

export const accountPath = (account: string) => `/api/admin/accounts/${encodeURIComponent(account)}`
