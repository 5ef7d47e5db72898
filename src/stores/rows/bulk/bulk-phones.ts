/** The phones of a bulk that skips duplicates, as keyed hashes of their first forms. */
import type { Bulk } from '../../../domain/bulk/bulk.ts'
import type { LineBlock } from '../../../domain/bulk/bulk-lines.ts'
import { formsOf, type Phone } from '../../../domain/numbers/phone.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'

/** Returns the hash of each line's phone; none for a bulk that sends to duplicates too. */
export function hashesOfLines(
  { skipDuplicates }: Pick<Bulk, 'skipDuplicates'>,
  { lines }: Pick<LineBlock, 'lines'>,
  hashPhone: HashPhone,
): readonly string[] {
  return skipDuplicates === true ? lines.map(({ phone }) => hashInBulk(phone as Phone, hashPhone)) : []
}

export function hashInBulk(phone: Phone, hashPhone: HashPhone): string {
  return hashPhone(formsOf(phone)[0])
}

/** Returns the block with the first line of each phone that is not known yet. */
export function withoutDuplicates(
  block: LineBlock,
  hashes: readonly string[],
  known: Iterable<string>,
): { readonly block: LineBlock; readonly added: readonly string[] } {
  if (hashes.length === 0) return { block, added: [] }
  const seen = new Set(known)
  const kept = block.lines.flatMap((line, index) => {
    const hash = hashes[index] ?? ''
    if (seen.has(hash)) return []
    seen.add(hash)
    return [{ line, hash, price: block.prices[index] ?? 0 }]
  })
  return {
    block: {
      ...block,
      lines: kept.map(({ line }) => line),
      prices: kept.map(({ price }) => price),
      duplicates: block.lines.length - kept.length,
    },
    added: kept.map(({ hash }) => hash),
  }
}
