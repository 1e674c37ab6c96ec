/**
 * Works items off, so many at a time, in their order; the answers are in the order of the items.
 * The first error ends it.
 */
export async function atOnce<Item, Answer>(
  items: readonly Item[],
  lanes: number,
  act: (item: Item) => Promise<Answer>
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) answers[index] = await act(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return answers
}
