/** Carrier drivers by `kind`: how each is created and its settings are checked. */
import type { CarrierTools } from '../carriers/carrier-tools.ts'
import { readCommonSettings } from '../carriers/common-settings.ts'
import { createHttpCarrier } from '../carriers/http/http-carrier.ts'
import { readHttpSettings } from '../carriers/http/read-settings.ts'
import { createRbmCarrier } from '../carriers/rbm/rbm-carrier.ts'
import { readRbmSettings } from '../carriers/rbm/read-settings.ts'
import { readSipSettings } from '../carriers/sip/read-settings.ts'
import { createSipCarrier } from '../carriers/sip/sip-carrier.ts'
import { readSmppSettings } from '../carriers/smpp/read-settings.ts'
import { createSmppCarrier } from '../carriers/smpp/smpp-carrier.ts'
import { readViberSettings } from '../carriers/viber/read-settings.ts'
import { createViberCarrier } from '../carriers/viber/viber-carrier.ts'
import { readWhatsAppSettings } from '../carriers/whatsapp/read-settings.ts'
import { createWhatsAppCarrier } from '../carriers/whatsapp/whatsapp-carrier.ts'
import type { CarrierSetup } from '../domain/directory.ts'
import type { CarrierKind } from '../operations/admin/carriers/carrier-kinds.ts'
import type { Carrier } from '../ports/carrier.ts'

interface Driver {
  readonly create: (setup: CarrierSetup, tools: CarrierTools) => Carrier
  /** Throws an Error naming the invalid setting. */
  readonly check: (settings: unknown) => unknown
}

const DRIVERS: Readonly<Record<CarrierKind, Driver>> = {
  rbm: { create: createRbmCarrier, check: readRbmSettings },
  viber: { create: createViberCarrier, check: readViberSettings },
  whatsapp: { create: createWhatsAppCarrier, check: readWhatsAppSettings },
  smpp: { create: createSmppCarrier, check: readSmppSettings },
  sip: { create: createSipCarrier, check: readSipSettings },
  http: { create: createHttpCarrier, check: readHttpSettings },
}

/** Throws an Error naming the invalid setting. */
export function createCarrier(setup: CarrierSetup, tools: CarrierTools): Carrier {
  const driver = new Map(Object.entries(DRIVERS)).get(setup.kind)
  if (driver === undefined) {
    throw new Error(`there is no carrier kind ${setup.kind}; must be one of ${Object.keys(DRIVERS).join(', ')}`)
  }
  const { degradedAfter, own } = readCommonSettings(setup.settings)
  return Object.assign(driver.create({ ...setup, settings: own }, tools), { degradedAfter })
}

/** Reads a carrier's settings as its driver does, so that errors show at setup. Throws an Error. */
export function checkCarrierSettings(kind: CarrierKind, settings: unknown): void {
  DRIVERS[kind].check(readCommonSettings(settings).own)
}
