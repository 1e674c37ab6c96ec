import { Type, type Static } from '@sinclair/typebox'

/** An error of one input value. */
export const FieldProblem = Type.Object({
  pointer: Type.String({ description: 'A JSON pointer (RFC 6901) into the body, or the name of a parameter' }),
  code: Type.String(),
  message: Type.String()
})
export type FieldProblem = Static<typeof FieldProblem>

/** A problem document (RFC 9457). Some codes have further members. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The URL of the documentation of the code' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String(),
    code: Type.String(),
    requestId: Type.String(),
    errors: Type.Optional(Type.Array(FieldProblem))
  },
  { $id: 'Problem', additionalProperties: true }
)
export type Problem = Static<typeof Problem>
