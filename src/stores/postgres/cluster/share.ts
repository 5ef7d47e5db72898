/**
 * Which buckets a node claims from, so that every bucket has one node and each node about as many buckets. Every node
 * computes it from the list of nodes: if two disagree for a moment, the first one gets the message.
 */
import { BUCKETS } from '../../../domain/ids/message-id.ts'

/** Returns the buckets in which `node` has the highest score (rendezvous hashing). */
export function bucketsOfNode(node: number, nodes: readonly number[]): readonly number[] {
  if (!nodes.includes(node)) return []
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
  return buckets.filter((bucket) => nodes.every((other) => other === node || beats(node, other, bucket)))
}

function beats(node: number, other: number, bucket: number): boolean {
  const [mine, theirs] = [draw(node, bucket), draw(other, bucket)]
  return mine > theirs || (mine === theirs && node > other)
}

function draw(node: number, bucket: number): number {
  let mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(bucket + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
