/** The bucket of what belongs to no account: the ids that carriers give, spread evenly and for ever the same. */
import { BUCKETS } from '../../domain/message-id.ts'

/** FNV-1a over the UTF-16 units of both, apart. */
export function bucketOfRef(carrierId: string, ref: string): number {
  let hash = 0x811c9dc5
  for (const text of [carrierId, '\0', ref]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0) % BUCKETS
}
