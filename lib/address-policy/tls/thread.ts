import { constants } from 'node:crypto'
import { setPriority } from 'node:os'
import { pipeline } from 'node:stream'
import { connect, createSecureContext, type SecureContext } from 'node:tls'
import { parentPort, type MessagePort } from 'node:worker_threads'
import { backgroundNiceness } from '../../priority.ts'
import { PortStream } from './port-stream.ts'
import { takeTurn, Wire } from './wire.ts'

/**
 * The key exchanges of outbound TLS: those of TLS 1.3, and ECDHE with authenticated encryption for TLS 1.2
 * (RFC 9325, section 4.2). Without finite-field Diffie-Hellman: a server chooses its modulus, and one of
 * 10,000 bits takes 0.6 s of the event loop for each handshake.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305'
].join(':')
const CURVES = 'X25519:P-256:P-384'

/** A connection whose TLS this thread does. */
export interface TlsRequest {
  /** The bytes of the connection, and those within TLS. */
  wire: MessagePort
  content: MessagePort
  /** Whose handshakes take turns with those of others. */
  owner: string
  host: string
  isAddress: boolean
  /** PEM certificates of the authorities to trust instead of the system's. */
  ca: string | undefined
}

const contexts = new Map<string | undefined, SecureContext>()

/** The settings of connections with the same authorities. Making them takes longer than the rest of a connection. */
function contextOf(ca: string | undefined): SecureContext {
  let context = contexts.get(ca)
  if (context === undefined) {
    context = createSecureContext({
      ca,
      minVersion: 'TLSv1.2',
      ciphers: CIPHERS,
      ecdhCurve: CURVES,
      // A server may not ask for another handshake, which would not be limited.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION
    })
    contexts.set(ca, context)
  }
  return context
}

function open({ wire, content, owner, host, isAddress, ca }: TlsRequest): void {
  const connection = new Wire(wire, owner)
  const stream = new PortStream(content)
  const secured = connect({
    // An address is not a server name (RFC 6066, section 3): the certificate is then checked against `host`.
    ...(isAddress ? { host } : { host, servername: host }),
    socket: connection,
    secureContext: contextOf(ca),
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1']
  })
  secured.once('secureConnect', () => {
    connection.endHandshake()
    stream.send('secure')
    secured.on('data', (bytes: Buffer) => connection.countContent(bytes.length))
    // Errors reach the other end of the stream.
    pipeline(secured, stream, () => {})
    pipeline(stream, secured, () => {})
  })
  const end = (error?: Error): void => {
    stream.destroy(error)
    secured.destroy()
    connection.destroy()
  }
  // Not once: TLS may report an error after it has closed.
  connection.on('error', end)
  secured.on('error', end).on('close', () => end())
  stream.on('error', () => end()).on('close', () => end())
}

// Linux sets the priority of this thread only.
if (process.platform === 'linux') setPriority(backgroundNiceness())
// Hundreds of connections may begin at the same moment, and each one takes a millisecond.
parentPort!.on('message', (request: TlsRequest) => takeTurn(request.owner, () => open(request)))
