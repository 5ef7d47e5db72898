/** Decides to which addresses reports may be sent, for the gateway and for commands that work on its store. */
import { AddressGuard } from '../http/guard-address.ts'
import type { Config } from './config.ts'

export function hookGuardOf({ hookAllow }: Pick<Config, 'hookAllow'>): AddressGuard {
  return new AddressGuard(hookAllow)
}
