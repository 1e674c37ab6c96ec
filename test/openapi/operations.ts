import type { Response, OpenApiDocument, Operation, Parameter } from '../../lib/openapi/types.ts'

export interface Listed {
  title: string
  method: string
  path: string
  operation: Operation
}

/** Every operation of the document. */
export const operationsOf = (document: OpenApiDocument): Listed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation
    }))
  )

/** Resolves a reference. */
export function resolve<T extends object>(document: OpenApiDocument, part: T | { $ref: string }): T {
  if (!('$ref' in part)) return part
  const [, , kind, name] = part.$ref.split('/')
  return (document.components as unknown as Record<string, Record<string, T>>)[kind!]![name!]!
}

export const parametersOf = (document: OpenApiDocument, operation: Operation): Parameter[] =>
  (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one))
export const answersOf = (document: OpenApiDocument, operation: Operation): [string, Response][] =>
  Object.entries(operation.responses).map(([status, answer]) => [status, resolve<Response>(document, answer)])

/** The path with example values for its parameters. */
export function exampleUrl(document: OpenApiDocument, { path, operation }: Listed): string {
  const value = (name: string) =>
    encodeURIComponent(
      String(parametersOf(document, operation).find((one) => one.in === 'path' && one.name === name)?.example)
    )
  return path.replace(/\{([^}]+)\}/g, (_all, name: string) => value(name))
}
