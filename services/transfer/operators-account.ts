/** What the command line acts as where it names no account. */
const OPERATOR = 'svc'

export const isOperatorsAccount = ({ id }: { id: string }): boolean => id === OPERATOR

/**
 * Conflicts but for those over the account of the command line and its hours of usage: it comes
 * into being in every store that an operator speaks to, so it is hardly
 * ever the same in two, and that must not be in the way. The one that is there stays.
 */
export function withoutOperators(conflicts: string[]): string[] {
  return conflicts.filter((name) => name !== `account ${OPERATOR}` && !name.startsWith(`usage ${OPERATOR} `))
}
