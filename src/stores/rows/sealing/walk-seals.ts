/** Walks everything sealed, slice by slice. */
import type { Sealing } from '../../../ports/records/sealing.ts'
import { FIRST_SEALS, type SealPlace, type SealSlice } from './sealed-columns.ts'

type SealCounts = Awaited<ReturnType<Sealing['countSeals']>>

/** Counts seals by key. */
export async function walkSeals(slice: (place: SealPlace) => Promise<SealSlice>): Promise<SealCounts> {
  const counts = new Map<string, number>()
  for (let place: SealPlace | null = FIRST_SEALS; place !== null; ) {
    const { keyIds, next }: SealSlice = await slice(place)
    for (const keyId of keyIds) counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
    place = next
  }
  return [...counts].map(([keyId, seals]) => ({ keyId, seals }))
}

export function sumOf(counts: SealCounts): number {
  return counts.reduce((sum, { seals }) => sum + seals, 0)
}
