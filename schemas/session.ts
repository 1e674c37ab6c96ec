import { Type } from '@sinclair/typebox'
import { Timestamp } from './fields.ts'

export const SessionInput = Type.Object(
  { linkToken: Type.String({ minLength: 1, maxLength: 2000, description: 'The last part of the sign-in link' }) },
  { $id: 'SessionInput', additionalProperties: false }
)

export const Session = Type.Object(
  {
    token: Type.String({ description: 'The session token' }),
    accountId: Type.String(),
    expiresAt: Timestamp()
  },
  { $id: 'Session' }
)
