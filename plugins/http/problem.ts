import type { FastifyError } from 'fastify'
import { ERRORS, ApiError, problem, type ErrorCode } from '../../errors.ts'
import { fieldErrors } from './field-errors.ts'

/** What Fastify and Node call the things that callers do, in our words. */
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

/**
 * The reader of forms throws plain errors: about the boundary, and about a form that is cut off.
 */
const BROKEN_FORM =
  /^(?:Multipart: Boundary|Unexpected end of multipart|\w+ terminated early due to unexpected end of multipart|The needle cannot)/

/** The refusal that an error amounts to; null for one that is ours to mend. */
export function refusalOf(error: Error): ApiError | null {
  if (error instanceof ApiError) return error
  const { code, validation, validationContext, statusCode } = error as FastifyError
  if (validation !== undefined) {
    const errors = fieldErrors(validation, validationContext ?? 'body')
    return problem(
      'invalid_request',
      errors
        .map(({ pointer, message }) => `${pointer === '' ? 'The body' : pointer} ${message}.`)
        .join(' ')
        .slice(0, 1000),
      { errors }
    )
  }
  const known = FRAMEWORK_CODES[code]
  if (known !== undefined) return problem(known, clientSentence(error))
  if (code?.startsWith('HPE_') === true || code === 'ECONNRESET') {
    return problem('malformed_http', 'The message could not be parsed.')
  }
  if (BROKEN_FORM.test(error.message)) {
    return problem('invalid_request', 'The form could not be read: its boundary is missing, or it is cut off.')
  }
  if (statusCode === 415) return problem('unsupported_media_type', clientSentence(error))
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? problem('invalid_request', clientSentence(error))
    : null
}

const clientSentence = (error: Error) => (error.message.endsWith('.') ? error.message : `${error.message}.`)

export interface ProblemPlace {
  docsUrl: string
  instance: string
  requestId: string
}

/** The problem document (RFC 9457) of a refusal. */
export function problemBody(
  refusal: ApiError,
  { docsUrl, instance, requestId }: ProblemPlace
): Record<string, unknown> {
  const { title, status } = ERRORS[refusal.code]
  const { errors, members } = refusal.options
  return {
    type: `${docsUrl}/${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    instance,
    code: refusal.code,
    requestId,
    ...members,
    ...(errors === undefined ? {} : { errors })
  }
}
