/** Limits the size of a file in bytes, so that wide lines do not hide its length. Data modules are exempt by config. */
export default {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLarge: 'This file has {{bytes}} bytes; at most {{limit}} are allowed. Split it by concept.' }
  },
  create(context) {
    const [limit] = context.options
    return {
      Program(node) {
        const bytes = Buffer.byteLength(context.sourceCode.text)
        if (bytes > limit) {
          context.report({ loc: { line: 1, column: 0 }, node, messageId: 'tooLarge', data: { bytes, limit } })
        }
      }
    }
  }
}
