/**
 * Rendezvous hashing: each key always gets the same one of several names, each name as many keys as any other, and a
 * name that comes or goes moves no keys but its own. Nothing is stored.
 */
import { hashText } from './hash-text.ts'

/** Returns the item whose name has the highest score for the key; null if there are none. */
export function rendezvous<Item extends { readonly name: string }>(items: readonly Item[], key: string): Item | null {
  let best: Item | null = null
  let highest = -1
  for (const item of items) {
    const score = mix(hashText(`${item.name} ${key}`))
    if (score < highest || (score === highest && best !== null && item.name < best.name)) continue
    best = item
    highest = score
  }
  return best
}

/** Spreads what differs over all bits (the end of MurmurHash3). */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
