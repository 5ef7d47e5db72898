/** Decides to which addresses reports may be sent, for the gateway and for commands that work on its store. */
import { AddressGuard } from '../../http/hooks/guard-address.ts'
import type { Config } from '../settings/config.ts'

export function hookGuardOf({ hookAllow }: Pick<Config, 'hookAllow'>): AddressGuard {
  return new AddressGuard(hookAllow)
}
