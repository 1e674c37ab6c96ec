import { verifyWebhook, WebhookVerificationError } from 'content-service-client'
import { revalidatePath } from 'next/cache'
import { BLOG_PATH, setting } from '../../../lib/content'

/** Receives the events of the service, and renders the pages again whose content has changed. */
export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, setting('WEBHOOK_SECRET'))
    switch (event.type) {
      case 'blog.published':
      case 'blog.updated':
      case 'blog.unpublished':
      case 'blog.deleted':
        for (const path of [...event.data.paths, BLOG_PATH, `${BLOG_PATH}/feed.xml`]) revalidatePath(path)
    }
    return Response.json({ received: true })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError) || error.code === 'invalid_secret') throw error
    return Response.json({ error: error.message }, { status: 401 })
  }
}
