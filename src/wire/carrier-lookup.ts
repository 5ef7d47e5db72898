/** Resolves the names of carriers for their sockets, and refuses addresses that no carrier has. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isRefusedAddress } from '../domain/refused-networks.ts'

/** For names alone: sockets look up no address, and the settings of a carrier are checked for those when they are set. */
export const carrierLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const refused = addresses.find(({ address }) => isRefusedAddress(address))
    if (refused !== undefined)
      return callback(new Error(`${hostname} resolves to ${refused.address}, which is refused`), '')
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    return first === undefined
      ? callback(new Error(`${hostname} has no address`), '')
      : callback(null, first.address, first.family)
  })
}
