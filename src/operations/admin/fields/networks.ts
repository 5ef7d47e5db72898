/** Lists of networks from which something is accepted. */
import Type from 'typebox'
import { readNetwork } from '../../../domain/network/networks.ts'
import { checkField, FieldRefused } from './field-refused.ts'

const MAX_NETWORKS = 100

export const NETWORKS = Type.Array(Type.String({ maxLength: 60 }))

/** Returns them in their stored form. Throws FieldRefused naming the text that is not a network. */
export function readNetworks(field: string, texts: readonly string[]): readonly string[] {
  const isGood = texts.length > 0 && texts.length <= MAX_NETWORKS
  checkField(field, isGood, `must be 1 to ${MAX_NETWORKS} networks, or null to allow all`)
  return texts.map((text) => {
    const network = readNetwork(text)
    if (network !== null) return network
    throw new FieldRefused(
      field,
      `${JSON.stringify(text)} must be a network such as 192.0.2.0/24 or 2001:db8::/32, without bits beyond its length`,
    )
  })
}
