/** The parts of an OpenAPI 3.1 document that this service uses. */
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
}
export interface Reference {
  $ref: string
}
export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, Reference | { summary?: string; value: unknown }>
  encoding?: Record<string, { contentType: string }>
}
export interface Header {
  description?: string
  schema?: Schema
  example?: unknown
}
export type Headers = Record<string, Header | Reference>
export interface Response {
  description: string
  headers?: Headers
  content?: Record<string, Media>
}
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}
export interface RequestBody {
  description?: string
  required?: boolean
  content: Record<string, Media>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: RequestBody
  responses: Record<string, Response | Reference>
  security?: Record<string, string[]>[]
  'x-scope'?: string
  'x-feature'?: string
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']
export type PathItem<O extends Operation = Operation> = Partial<Record<Method, O>>

export interface OpenApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    description?: string
    contact?: Record<string, string>
    license?: Record<string, string>
  }
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  /** Requests that the service sends to webhook receivers. */
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    examples: Record<string, { summary?: string; value: unknown }>
    headers: Record<string, Header>
    securitySchemes: Record<string, Record<string, string>>
  }
}
