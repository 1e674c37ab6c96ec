import type { ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { readSettled, readWhole } from './products-batch-reads.ts'
import { productOf, products } from './products-documents.ts'

/** Reads products that are named by what they are called. */
export function createProductReads(
  database: Database
): Pick<ProductStore, 'find' | 'findByExternalIds' | 'existsInProject' | 'findClaimOwners'> {
  const documents = () => products(database)
  return {
    find: (accountId, id) =>
      database.act(async () => {
        const [found] = await readSettled(database, async () =>
          [await documents().findOne({ _id: id, accountId })].filter((document) => document !== null)
        )
        return found === undefined ? null : productOf(found)
      }),
    findByExternalIds: ({ accountId, projectId }, externalIds) =>
      database.act(async () => {
        const found = await readSettled(database, () =>
          documents()
            .find({ accountId, projectId, externalId: { $in: externalIds } })
            .toArray()
        )
        return found.map(productOf)
      }),
    existsInProject: ({ accountId, projectId }) =>
      database.act(() =>
        readWhole(
          database,
          accountId,
          async (shown) =>
            (await documents().findOne({ accountId, projectId, ...shown }, { projection: { _id: 1 } })) !== null
        )
      ),
    findClaimOwners: ({ accountId, projectId }, claims) =>
      database.act(async () => {
        const asked = new Set(claims)
        const projection = { claims: 1, hidden: 1, 'pending.batch': 1, 'pending.was': 1 } as const
        const found = await readSettled(database, () =>
          documents()
            .find({ accountId, projectId, claims: { $in: [...asked] } }, { projection })
            .toArray()
        )
        return found.flatMap((document) =>
          [...new Set(document.pending?.was ?? document.claims ?? [])]
            .filter((claim) => asked.has(claim))
            .map((claim) => ({ claim, productId: document._id }))
        )
      })
  }
}
