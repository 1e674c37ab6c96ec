import type { ESLint } from 'eslint'

export const DENIED_SEGMENTS: Record<string, string>
export const DENIED_PROSE: Record<string, string>
export function deniedIn(text: string): string[]

declare const rule: NonNullable<ESLint.Plugin['rules']>[string]
export default rule
