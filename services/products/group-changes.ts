import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { claimsLeft, passClaims, type GivenUp } from './group-claims.ts'

/** Groups whose leaders are read at once. Each may have a hundred kilobytes. */
const GROUPS_AT_ONCE = 50

/**
 * Collects what saved changes of products mean for the other products of their groups. A product that moves out
 * of a group leaves its texts to it, and a manual handle replaces one that others of the group may have.
 */
export function createGroupChanges({ store, queue }: { store: Store; queue: Queue }, project: ProjectRef) {
  const changes = new Map<string, GivenUp>()

  function changeOf(groupId: string): GivenUp {
    const change = changes.get(groupId) ?? { claims: new Set(), departed: [] }
    changes.set(groupId, change)
    return change
  }

  /** Those of the groups that have products. */
  async function groupsLeft(groups: [groupId: string, GivenUp][]): Promise<string[]> {
    const ids = groups.map(([groupId]) => groupId)
    const leaders = await store.products.findGroupLeaders(project, ids)
    return leaders.map(({ groupId }) => groupId!)
  }

  return {
    /** `before` is null for a new product. */
    add(before: ProductRecord | null, after: ProductRecord): void {
      const groupId = before?.groupId ?? null
      if (before === null || groupId === null) return
      if (after.groupId !== groupId) {
        const { claims, departed } = changeOf(groupId)
        for (const claim of claimsLeft(before)) claims.add(claim)
        departed.push(before.id)
      } else if (before.claims !== after.claims) {
        const held = new Set(after.claims)
        const released = before.claims.filter((claim) => !held.has(claim))
        for (const claim of released) changeOf(groupId).claims.add(claim)
      }
    },

    /**
     * Has the other products optimized that must take over claims or texts. To be called after the changes were
     * saved. Nothing repeats it if the process is killed in between.
     */
    async apply(): Promise<void> {
      const open = [...changes].filter(([, { claims, departed }]) => claims.size > 0 || departed.length > 0)
      changes.clear()
      for (let start = 0; start < open.length; start += GROUPS_AT_ONCE) {
        const part = open.slice(start, start + GROUPS_AT_ONCE)
        // A file that renames groups leaves thousands of them without products.
        const left = part.length === 1 ? part.map(([groupId]) => groupId) : await groupsLeft(part)
        await passClaims(
          { store, queue },
          project,
          part.filter(([groupId]) => left.includes(groupId))
        )
      }
    }
  }
}

export type GroupChanges = ReturnType<typeof createGroupChanges>
