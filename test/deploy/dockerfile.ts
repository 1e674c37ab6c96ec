import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** An instruction of a Dockerfile, with its lines joined. */
export interface Instruction {
  name: string
  value: string
}
/** A COPY from the build context. */
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

/** The arguments of an instruction in exec form. */
export const list = ({ value }: Instruction): string[] => JSON.parse(value.slice(value.indexOf('['))) as string[]

/** The variables of an ENV. */
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
 * The paths that .dockerignore includes. Its first rule excludes everything else.
 */
export function letThrough(): string[] {
  const rules = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (rules[0] !== '*' || !rules.slice(1).every((rule) => rule.startsWith('!'))) {
    throw new Error('.dockerignore must exclude everything except the paths that it names')
  }
  return rules.slice(1).map((rule) => rule.slice(1))
}

/** Copies the program into a folder as in /app of the image, without node_modules. */
export function layOut(stage: Instruction[], folder: string): void {
  const through = letThrough()
  for (const { sources, target } of copies(stage)) {
    for (const source of sources) {
      if (!through.some((name) => source === name || source.startsWith(`${name}/`))) {
        throw new Error(`${source} is copied, but .dockerignore excludes it`)
      }
      const goal = target === './' ? path.join(folder, source) : path.join(folder, target)
      mkdirSync(path.dirname(goal), { recursive: true })
      cpSync(path.join(ROOT, source), goal, { recursive: true })
    }
  }
}
