/** Resolves host names of carriers for their sockets, and refuses addresses that no carrier has. */
import type { LookupFunction } from 'node:net'
import { isRefusedAddress } from '../domain/network/refused-networks.ts'
import { HostNames } from './host-names.ts'

/** Separate from the lookups of clients' hooks, whose names anyone can choose. */
const names = new HostNames()

/** For names only: sockets do not look up addresses, and addresses in the settings are checked when they are set. */
export const carrierLookup: LookupFunction = (hostname, options, callback) => {
  names.resolve(hostname).then(
    (addresses) => {
      const refused = addresses.find(({ address }) => isRefusedAddress(address))
      const [first] = addresses
      if (refused !== undefined) callback(new Error(`${hostname} resolves to ${refused.address}, which is refused`), '')
      else if (options.all === true) callback(null, [...addresses])
      else if (first === undefined) callback(new Error(`${hostname} has no address`), '')
      else callback(null, first.address, first.family)
    },
    (error: Error) => callback(error, ''),
  )
}
