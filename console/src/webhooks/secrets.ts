/** Secrets of webhooks that were just created, until their page has shown them. Never stored. */
const created = new Map<string, string>()

export const rememberSecret = (webhookId: string, secret: string): Map<string, string> => created.set(webhookId, secret)

/** The secret of a new webhook, once. */
export function takeSecret(webhookId: string): string | null {
  const secret = created.get(webhookId) ?? null
  created.delete(webhookId)
  return secret
}
