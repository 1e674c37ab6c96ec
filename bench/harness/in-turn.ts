/** One of the things that are compared. A measurement returns a value in the unit of the comparison. */
export interface Side {
  name: string
  measure: () => Promise<number>
}

/**
 * Measures all sides `warmUps` times (default: once), then in `rounds` rounds, each side once per round. Changes of
 * the machine's speed therefore affect all sides. The order is reversed in every second round, so
 * that no side always runs after the same one. Returns the values of each side by name.
 */
export async function measureInTurn(
  sides: readonly Side[],
  rounds: number,
  { warmUps } = { warmUps: 1 }
): Promise<Map<string, number[]>> {
  const values = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  if (values.size < sides.length) throw new Error('Two sides have the same name')
  for (let warmUp = 0; warmUp < warmUps; warmUp++) for (const { measure } of sides) await measure()
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? sides : sides.toReversed()) {
      values.get(name)!.push(await measure())
    }
  }
  return values
}
