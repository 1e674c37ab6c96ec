/**
 * Values of `node:http` for modules that the server loads when it starts. When an ES module imports `node:http`,
 * Node.js reads all exports. One of them, WebSocket, loads the client behind `fetch`: 20 ms of CPU time and 2 MB.
 */
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http')
