import { Type, type Static } from '@sinclair/typebox'
import { notStored, OneOf } from './fields.ts'

/** What a process depends on. */
export const DEPENDENCIES = ['store', 'files', 'limits', 'queue'] as const
export type Dependency = (typeof DEPENDENCIES)[number]

export const Alive = Type.Object(
  { status: Type.Literal('ok') },
  { description: 'The process is running', ...notStored }
)

export const Ready = Type.Object(
  {
    status: OneOf(['ok', 'degraded'], {
      description: '`degraded`: requests are served, but a dependency is unreachable'
    }),
    missing: Type.Array(OneOf(DEPENDENCIES), { description: 'The dependencies that do not respond or cannot write' })
  },
  { description: 'The process is ready', ...notStored }
)
export type Ready = Static<typeof Ready>
