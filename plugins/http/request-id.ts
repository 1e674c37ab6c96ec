import { randomBytes } from 'node:crypto'

const process = randomBytes(6).toString('hex')
let count = 0

/**
 * An id for a request: the process's random part and a count, so that ids are unique across
 * processes and cost nothing.
 */
export const newRequestId = () => `${process}-${(++count).toString(36)}`
