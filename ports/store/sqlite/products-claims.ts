import type { ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { inPlace } from './products-places.ts'

/** Keeps which product of a place has which claim. */
export function createProductClaims(db: Database) {
  const give = (place: number, claims: Iterable<string>) => {
    for (const claim of claims) db.run('DELETE FROM product_claims WHERE place = ? AND claim = ?', place, claim)
  }

  return {
    /** Gives claims of the place free. */
    give,
    /**
     * Takes claims that the product of this row does not have yet, each named once: all, or none
     * when another has one: false.
     */
    take: (n: number, place: number, claims: string[]): boolean => {
      const refused = claims.findIndex(
        (claim) =>
          db.run(
            'INSERT INTO product_claims (place, claim, n) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            place,
            claim,
            n
          ) === 0
      )
      if (refused >= 0) give(place, claims.slice(0, refused))
      return refused < 0
    }
  }
}

/** Tells who has which claim. */
export function createProductClaimReads(db: Database): Pick<ProductStore, 'findClaimOwners'> {
  return {
    findClaimOwners: async (place, claims) => {
      const { sql, values } = inPlace(place)
      return db
        .all<{ claim: string; productId: string }>(
          `
        SELECT p.claim, o.id AS productId FROM product_claims p JOIN products o USING (n)
        WHERE ${sql} AND p.claim IN (SELECT value FROM json_each(?))`,
          ...values,
          JSON.stringify(claims)
        )
        .map((row) => ({ ...row }))
    }
  }
}
