/**
 * Makes a function that looks at the next two entries of `map` with every call and drops those that
 * `idle` names, round and round.
 * Called once with every entry that may be added, it goes round faster than the map can grow, so
 * the map stays within about twice
 * what is in use, with no timer to keep the process alive and no long pause.
 */
export function createSweeper<V>(map: Map<string, V>, idle: (value: V, now: number) => boolean): (now: number) => void {
  let round = map.entries()
  return (now) => {
    for (let looked = 0; looked < 2; looked++) {
      const next = round.next()
      if (next.done === true) {
        // A finished iterator of a Map stays finished, whatever is added later.
        round = map.entries()
        return
      }
      if (idle(next.value[1], now)) map.delete(next.value[0])
    }
  }
}
