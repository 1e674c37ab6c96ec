import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** An instruction of a Dockerfile, with its lines joined. */
export interface Instruction {
  name: string
  value: string
}
/** A COPY from the folder of the project. */
export interface Copy {
  sources: string[]
  target: string
}

/** The stages of the Dockerfile, in order; each begins with its FROM. */
export function readDockerfile(): Instruction[][] {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
  const stages: Instruction[][] = []
  for (const line of text.split('\n').filter((line) => line.trim() !== '')) {
    const [, name, value] = /^(\w+)\s+(.*)$/.exec(line.trim())!
    if (name === 'FROM') stages.push([])
    stages.at(-1)!.push({ name: name!, value: value!.replace(/\s+/g, ' ') })
  }
  return stages
}

export const named = (instructions: Instruction[], name: string) =>
  instructions.filter((instruction) => instruction.name === name)

/** What an instruction in JSON form says. */
export const list = ({ value }: Instruction): string[] => JSON.parse(value.slice(value.indexOf('['))) as string[]

/** The pairs of an ENV. */
export const pairs = ({ value }: Instruction): Record<string, string> =>
  Object.fromEntries([...value.matchAll(/(\w+)=(\S+)/g)].map(([, name, word]) => [name!, word!]))

export function copies(stage: Instruction[]): Copy[] {
  return named(stage, 'COPY')
    .filter(({ value }) => !value.includes('--from='))
    .map(({ value }) => {
      const words = value.split(' ').filter((word) => !word.startsWith('--'))
      return { target: words.pop()!, sources: words }
    })
}

/**
 * The paths that .dockerignore lets through. It names all of them, after a rule that keeps
 * everything out.
 */
export function letThrough(): string[] {
  const rules = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (rules[0] !== '*' || !rules.slice(1).every((rule) => rule.startsWith('!'))) {
    throw new Error('.dockerignore shall keep out everything but what it names')
  }
  return rules.slice(1).map((rule) => rule.slice(1))
}

/** Lays the program out in a folder as the image has it in /app, without the libraries. */
export function layOut(stage: Instruction[], folder: string): void {
  const through = letThrough()
  for (const { sources, target } of copies(stage)) {
    for (const source of sources) {
      if (!through.some((name) => source === name || source.startsWith(`${name}/`))) {
        throw new Error(`${source} is copied, but .dockerignore keeps it out`)
      }
      const goal = target === './' ? path.join(folder, source) : path.join(folder, target)
      mkdirSync(path.dirname(goal), { recursive: true })
      cpSync(path.join(ROOT, source), goal, { recursive: true })
    }
  }
}
