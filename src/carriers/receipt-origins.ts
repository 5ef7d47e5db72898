/**
 * Where a carrier's receipts come from. Carriers with a common origin use one account of one SMSC, which may deliver a
 * receipt on any connection of that account, whichever carrier submitted the message.
 */
import type { CarrierSetup } from '../domain/directory/directory.ts'
import { readSmppSettings, type SmppSettings } from './smpp/settings.ts'

/** Returns no origins for kinds whose receipts name the carrier, and for settings that cannot be read. */
export function receiptOrigins({ kind, settings }: CarrierSetup): readonly string[] {
  if (kind !== 'smpp') return []
  try {
    return smppAccounts(readSmppSettings(settings))
  } catch {
    return []
  }
}

export function smppAccounts({ hosts, systemId }: SmppSettings): readonly string[] {
  return hosts.map(({ host, port }) => `${host.toLowerCase()} ${port} ${systemId}`)
}
