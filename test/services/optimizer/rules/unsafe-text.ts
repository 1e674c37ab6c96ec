/** What plain text must not contain: the start of a tag, control characters, a direction override. */
export const UNSAFE = /<[a-z/!?]|[\u0000-\u0009\u000b-\u001f\u202e]/i
