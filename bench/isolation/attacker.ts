import { setTimeout as wait } from 'node:timers/promises'
import { createSeededRandom } from '../../test/fixtures/seeded-random.ts'
import { codeOf, createClient, type Credentials } from './client.ts'
import { KINDS } from './kinds/index.ts'

/** What this process does, in this order. */
export type Command =
  | {
      name: 'prepare'
      kind: string
      credentials: Credentials
      connections: number
      seed: number
      scale: number
    }
  | { name: 'begin' }
  | { name: 'end' }

/** The requests of the attack that have ended: their number by status, or by the code of the error. */
export type Outcomes = Record<string, number>

/** After an error without a response, a connection waits: the server may have ended. */
const PAUSE_MS = 50

/*
 * The first account, in a process of its own: making and sending its requests delays none of the requests whose time is
 * measured. Executes commands that arrive as process messages, and responds to each.
 */
const attack = new AbortController()
const outcomes: Outcomes = {}
let run = async (): Promise<void> => {}
let running: Promise<unknown> = Promise.resolve()

async function prepare({ kind, credentials, connections, seed, scale }: Extract<Command, { name: 'prepare' }>) {
  const client = createClient(credentials, connections)
  const next = await KINDS[kind]!.prepare({ client, random: createSeededRandom(seed), scale })
  await client.optimized()
  let index = 0
  run = async () => {
    while (!attack.signal.aborted) {
      const request = next(index++)
      try {
        const status = await client.sendOnly(request, attack.signal)
        outcomes[status] = (outcomes[status] ?? 0) + 1
      } catch (error) {
        if (attack.signal.aborted) return
        outcomes[codeOf(error)] = (outcomes[codeOf(error)] ?? 0) + 1
        await wait(PAUSE_MS)
      }
    }
  }
  return connections
}

let connections = 0
process.on('message', async (command: Command) => {
  switch (command.name) {
    case 'prepare':
      connections = await prepare(command)
      process.send!({})
      break
    case 'begin':
      running = Promise.all(Array.from({ length: connections }, async () => await run()))
      process.send!({})
      break
    case 'end':
      attack.abort()
      await running
      process.send!(outcomes)
      process.disconnect?.()
  }
})
