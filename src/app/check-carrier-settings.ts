/** Reads a carrier's settings as its driver will, so that a mistake is told now and not by a gateway's log. */
import { readCommonSettings } from '../carriers/common-settings.ts'
import { readHttpSettings } from '../carriers/http/read-settings.ts'
import { readRbmSettings } from '../carriers/rbm/read-settings.ts'
import { readSipSettings } from '../carriers/sip/read-settings.ts'
import { readSmppSettings } from '../carriers/smpp/read-settings.ts'
import { readViberSettings } from '../carriers/viber/read-settings.ts'
import { readWhatsAppSettings } from '../carriers/whatsapp/read-settings.ts'
import type { CarrierKind } from '../operations/admin/add-carrier.ts'

const READERS: Readonly<Record<CarrierKind, (settings: unknown) => unknown>> = {
  rbm: readRbmSettings,
  viber: readViberSettings,
  whatsapp: readWhatsAppSettings,
  smpp: readSmppSettings,
  sip: readSipSettings,
  http: readHttpSettings,
}

/** Throws an Error that names the setting that is wrong. */
export function checkCarrierSettings(kind: CarrierKind, settings: unknown): void {
  READERS[kind](readCommonSettings(settings).own)
}
