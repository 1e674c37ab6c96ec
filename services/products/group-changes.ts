import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { claimsLeft, passClaims, shareTexts, type GivenUp } from './group-claims.ts'

interface GroupChange extends GivenUp {
  /** The ids of products whose manual texts changed. */
  authors: Set<string>
}

/**
 * Collects what saved changes of products mean for the other products of their groups. A product that moves out
 * of a group leaves its texts to it, a manual text replaces one that others of the group may have, and manual texts
 * of the leader are those of all its variants.
 */
export function createGroupChanges({ store, queue }: { store: Store; queue: Queue }, project: ProjectRef) {
  const changes = new Map<string, GroupChange>()

  function changeOf(groupId: string): GroupChange {
    const change = changes.get(groupId) ?? { claims: new Set(), departed: [], authors: new Set() }
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
      } else if (before.seo !== after.seo && manualTexts(before) !== manualTexts(after)) {
        const { claims, authors } = changeOf(groupId)
        const held = new Set(after.claims)
        for (const claim of before.claims) if (!held.has(claim)) claims.add(claim)
        authors.add(before.id)
      }
    },

    /**
     * Has the other products optimized that must take over claims or texts. To be called after the changes were
     * saved. Nothing repeats it if the process is killed in between.
     */
    async apply(): Promise<void> {
      for (const [groupId, { authors, ...givenUp }] of changes) {
        const group = { accountId: project.accountId, projectId: project.projectId, groupId }
        if (givenUp.departed.length > 0 || givenUp.claims.size > 0) {
          await passClaims({ store, queue }, group, givenUp)
        }
        if (authors.size === 0) continue
        const [leader] = await store.products.listGroup(group, groupId, { afterId: null, limit: 1 })
        if (leader !== undefined && authors.has(leader.id)) await shareTexts({ store, queue }, group)
      }
    }
  }
}

const manualTexts = ({ seo }: ProductRecord): string =>
  JSON.stringify(Object.entries(seo).map(([field, text]) => (text?.source === 'human' ? [field, text.value] : null)))
