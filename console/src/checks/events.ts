import type { Event } from '../../../schemas/event.ts'
import type { VisualCheck } from '../../../schemas/visual-check.ts'
import { call } from '../api.ts'

/** A finished check, as its event describes it. */
export interface CheckEvent
  extends Pick<VisualCheck, 'blogId' | 'url' | 'status' | 'overallScore' | 'reason' | 'environment'> {
  at: string
  checkId: string
  projectId: string
}

/** Each page of events has up to 100. Accounts with more checks see the newest of the first 500. */
const MAX_PAGES = 5
const PAGE_SIZE = 100

/** The finished checks of the last 30 days, the newest first. The API lists events from the oldest on. */
export async function listCheckEvents(): Promise<CheckEvent[]> {
  const found: CheckEvent[] = []
  let after = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/api/events?type=visual_check.completed&limit=${PAGE_SIZE}&after=${after}`
    const { events, next } = await call<{ events: Event[]; next: number }>('GET', path)
    found.push(...events.map(({ timestamp, data }) => ({ at: timestamp, ...data }) as unknown as CheckEvent))
    if (events.length < PAGE_SIZE) break
    after = next
  }
  return found.reverse()
}
