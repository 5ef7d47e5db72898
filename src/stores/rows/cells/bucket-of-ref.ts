/** The bucket of data that belongs to no account: carrier ids, spread evenly and with a stable hash. */
import { BUCKETS } from '../../../domain/ids/message-id.ts'

/** FNV-1a over the UTF-16 units of both, separated. */
export function bucketOfRef(carrierId: string, ref: string): number {
  let hash = 0x811c9dc5
  for (const text of [carrierId, '\0', ref]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0) % BUCKETS
}

/** All arrivals of a carrier are in one bucket, and so in one lane of each node. */
export function bucketOfCarrier(carrierId: string): number {
  return bucketOfRef(carrierId, '')
}
