import { Type, type Static } from '@sinclair/typebox'

export const FieldProblem = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the body, or the name of the parameter' }),
  code: Type.String(),
  message: Type.String()
})

/** An error, as RFC 9457 (problem details) shapes it. Some codes carry further members. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The address of the page that explains the code' }),
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
