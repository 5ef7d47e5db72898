/**
 * Connects only to permitted addresses. Resolves a name once per connection, checks all its addresses and connects to
 * exactly those, which prevents DNS rebinding.
 */
import type { LookupFunction } from 'node:net'
import { DEFAULT_CIPHERS } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { type AddressGuard, ForbiddenAddress } from './guard-address.ts'
import type { ResolveHost } from './hook-names.ts'

export const NO_PUBLIC_ADDRESS = 'the host has no public address'
const CONNECT_TIMEOUT_MS = 10_000
/**
 * Key exchanges of bounded cost. With finite-field Diffie-Hellman the server chooses the size of the numbers: 10,000
 * bits take the thread 650 ms for each connection.
 */
const KEY_EXCHANGES = { ciphers: `${DEFAULT_CIPHERS}:!DHE`, ecdhCurve: 'X25519:P-256:P-384:P-521' } as const

/** A connector for undici; verifies certificates against the name in the URL. */
export function connectGuarded(guard: AddressGuard, resolve: ResolveHost): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    lookup: lookUpGuarded(guard, resolve),
    ...KEY_EXCHANGES,
  })
  return (options, callback) => {
    // Sockets never resolve IP addresses.
    if (!ipaddr.isValid(options.hostname)) {
      connect(options, callback)
    } else if (guard.permits(options.hostname)) {
      connect({ ...options, hostname: ipaddr.process(options.hostname).toString() }, callback)
    } else {
      queueMicrotask(() => callback(new ForbiddenAddress(`${options.hostname} is not a public address`), null))
    }
  }
}

function lookUpGuarded(guard: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || addresses.some(({ address }) => !guard.permits(address))) {
          callback(new Error(NO_PUBLIC_ADDRESS), [])
        } else if (options.all === true) {
          callback(null, [...addresses])
        } else {
          callback(null, first.address, first.family)
        }
      },
      (error: Error) => callback(error, []),
    )
  }
}
