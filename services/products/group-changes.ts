import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { claimsLeft, passClaims, type GivenUp } from './group-claims.ts'

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
      for (const [groupId, givenUp] of changes) {
        const { accountId, projectId } = project
        await passClaims({ store, queue }, { accountId, projectId, groupId }, givenUp)
      }
    }
  }
}
