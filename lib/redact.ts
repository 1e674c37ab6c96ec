/** May contain a JSON Web Token. It is searched in these runs only, so that the search is linear. */
const TOKEN_CHARACTERS = /[\w.-]{20,}/g
/** The first characters of a JSON object in base64url. */
const TOKEN_START = 'eyJ'
const QUERY_PARAMETER = /([?&;])([\w.[\]-]+)=[^&;#]*/g
/** The names of query parameters that carry a credential, such as the token of a preview link. */
const SECRET_NAME = /token|secret|password|credential|api[_-]?key/i
/** Clients and proxies may encode a URL more than once. */
const MAX_DECODINGS = 3

/**
 * Returns a function that removes credentials from a text for logs and traces: API keys, JSON Web
 * Tokens, and query parameters with secrets. Percent-encoded credentials are found too.
 *
 * `apiKeys`: a global pattern of the API keys of this service.
 */
export function createRedactor(apiKeys: RegExp): (text: string) => string {
  const redactPlain = (text: string): string =>
    text.replace(QUERY_PARAMETER, redactParameter).replace(apiKeys, '[key]').replace(TOKEN_CHARACTERS, redactToken)

  return (text) => {
    const redacted = redactPlain(text)
    if (!redacted.includes('%')) return redacted
    // Only the parts that hide a credential are replaced, so that the rest stays as it was sent.
    return redacted
      .split(/(?<=[/?&=;#\s])/)
      .map((part) => {
        const decoded = decode(part)
        return decoded !== part && redactPlain(decoded) !== decoded
          ? `[redacted]${/[/?&=;#\s]$/.exec(part)?.[0] ?? ''}`
          : part
      })
      .join('')
  }
}

const redactParameter = (parameter: string, separator: string, name: string): string =>
  SECRET_NAME.test(name) ? `${separator}${name}=[token]` : parameter

function redactToken(run: string): string {
  const start = run.indexOf(TOKEN_START)
  return start === -1 || !run.includes('.', start) ? run : `${run.slice(0, start)}[token]`
}

/** Decodes every valid percent-encoded ASCII character, repeatedly. Credentials are ASCII. */
function decode(text: string): string {
  let decoded = text
  for (let count = 0; count < MAX_DECODINGS && decoded.includes('%'); count++) {
    decoded = decoded.replace(/%([0-7][\da-f])/gi, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    )
  }
  return decoded
}
