import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The cases of a contract in the order in which they are tried on a mutant. The recorded case that
 * detected the mutant before comes first, so that a mutant usually costs one case and not half of the
 * contract. A missing or outdated record only costs time: all other cases follow.
 *
 * `RECORD_DETECTIONS=1` writes the record anew; run all mutants of the contract with it.
 */
export class Detections {
  readonly #path: string
  readonly #recorded: Record<string, string>
  readonly #found: Record<string, string> = {}

  /** @param path the record, a JSON object from mutants to titles of cases */
  constructor(path: string) {
    this.#path = path
    this.#recorded = JSON.parse(readFileSync(path, 'utf8'))
  }

  order<Case extends { title: string }>(mutant: string, cases: readonly Case[]): Case[] {
    const recorded = this.#recorded[mutant]
    return cases.toSorted((a, b) => Number(b.title === recorded) - Number(a.title === recorded))
  }

  add(mutant: string, title: string): void {
    this.#found[mutant] = title
  }

  /** Writes the record if RECORD_DETECTIONS=1. */
  save(): void {
    if (process.env.RECORD_DETECTIONS !== '1') return
    writeFileSync(this.#path, `${JSON.stringify(this.#found, null, 2)}\n`)
  }
}
