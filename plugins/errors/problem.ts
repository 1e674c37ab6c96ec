import type { FastifyError } from 'fastify'
import { ApiError, ERRORS, problem, type ErrorCode } from '../../errors.ts'
import { STATUS_CODES } from '../../lib/http/node-http.ts'
import { toFieldErrors } from './field-errors.ts'

/** Errors of Fastify and Node that a client causes. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_http',
  FST_ERR_BAD_URL: 'malformed_url',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_PARAM_MAX_LENGTH: 'not_found',
  FST_REQ_FILE_TOO_LARGE: 'payload_too_large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_FILES_LIMIT: 'invalid_request',
  FST_FIELDS_LIMIT: 'invalid_request',
  FST_PARTS_LIMIT: 'invalid_request',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  FST_ERR_HANDLER_TIMEOUT: 'unavailable'
}

/** The multipart parser throws plain errors for a bad boundary and for a truncated form. */
const BROKEN_FORM =
  /^(?:Multipart: Boundary|(?:\w+ terminated early due to u|U)nexpected end of multipart|The needle cannot)/

export const malformedHttp = (cause?: Error): ApiError =>
  problem('malformed_http', 'The message could not be parsed.', { cause })

/** The API error for an error that the client caused, or null for a server error. */
export function toApiError(error: Error): ApiError | null {
  if (error instanceof ApiError) return error
  const { code, validation, validationContext, statusCode } = error as FastifyError
  if (validation !== undefined) {
    const errors = toFieldErrors(validation, validationContext ?? 'body')
    const detail = errors
      .map(({ pointer, message }) => `${pointer === '' ? 'The body' : pointer} ${message}.`)
      .join(' ')
    return problem('invalid_request', detail.slice(0, 1000), { errors })
  }
  // lib/http/request-message.ts
  if (code === 'HPE_PAUSED') {
    return problem('malformed_http', 'The chunks of the body have less than 16 bytes on average. Send larger chunks.')
  }
  const known = FRAMEWORK_CODES[code]
  if (known !== undefined) return problem(known, toSentence(error))
  if (code?.startsWith('HPE_') === true || code === 'ECONNRESET') return malformedHttp()
  if (BROKEN_FORM.test(error.message)) {
    return problem('invalid_request', 'The multipart form has no valid boundary, or it is truncated.')
  }
  if (statusCode === 415) return problem('unsupported_media_type', toSentence(error))
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? problem('invalid_request', toSentence(error))
    : null
}

const toSentence = (error: Error) => (error.message.endsWith('.') ? error.message : `${error.message}.`)

export interface ProblemContext {
  /** The URL of the error documentation. */
  docsUrl: string
  instance: string
  requestId: string
}

/** The problem document (RFC 9457) of an error. */
export function toProblemDocument(
  error: ApiError,
  { docsUrl, instance, requestId }: ProblemContext
): Record<string, unknown> {
  const { title, status } = ERRORS[error.code]
  const { errors, members } = error.options
  return {
    type: `${docsUrl}/${error.code}`,
    title,
    status,
    detail: error.message,
    instance,
    code: error.code,
    requestId,
    ...members,
    ...(errors === undefined ? {} : { errors })
  }
}

/** An error as a complete HTTP message, for connections without a request. */
export function toHttpMessage(error: ApiError, headers: Record<string, string>, context: ProblemContext): string {
  const body = JSON.stringify(toProblemDocument(error, context))
  const lines = Object.entries({
    ...headers,
    ...error.options.headers,
    'x-request-id': context.requestId,
    'x-content-type-options': 'nosniff',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    date: new Date().toUTCString(),
    connection: 'close'
  })
  return [
    `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body
  ].join('\r\n')
}
