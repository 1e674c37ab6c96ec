/**
 * The seed of every random choice in the tests: fixed, so that a run can be repeated, unless the
 * environment variable SEED is set.
 */
export const SEED = Number(process.env.SEED ?? 20_260_131) >>> 0
