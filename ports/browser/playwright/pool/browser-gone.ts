/**
 * Why an act in a browser came to no end of its own. `crashed`: the browser ended twice; `stuck`:
 * the act took longer than any may; `closed`: the pool was closed.
 */
export type GoneReason = 'crashed' | 'stuck' | 'closed'

const SENTENCES: Readonly<Record<GoneReason, string>> = {
  crashed: 'The browser ended while it looked at the page.',
  stuck: 'The browser did not finish in time and was ended.',
  closed: 'The browser is being closed.'
}

/** Thrown in place of what an act would have given. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone'
  readonly why: GoneReason

  constructor(why: GoneReason, cause?: unknown) {
    super(SENTENCES[why], { cause })
    this.why = why
  }
}
