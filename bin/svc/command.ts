import type { ParseArgsOptionsConfig } from 'node:util'
import type { Operator } from './operator.ts'

export type Values = Record<string, string | boolean | undefined>

/**
 * What a command is given: its words and options, how to speak to the service, and how to tell the
 * person.
 */
export interface Invocation {
  words: string[]
  values: Values
  json: boolean
  /** Opened by the first who asks; closed at the end. */
  operator: () => Promise<Operator>
  /** For the person, or with `--json` as one JSON document. */
  tell: (result: unknown, lines: string[]) => void
  /** Progress and warnings; on the error stream, so that output can be piped. */
  note: (line: string) => void
}

/** One command: a file each. Resolves with the exit code: 0, or 1 when something was refused. */
export interface Command {
  usage: string
  summary: string
  options: ParseArgsOptionsConfig
  run: (invocation: Invocation) => Promise<number>
}

/** A wrong call: the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A string option, or what it is when it is left out. */
export function text(values: Values, name: string): string | undefined
export function text(values: Values, name: string, otherwise: string): string
export function text(values: Values, name: string, otherwise?: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : otherwise
}
