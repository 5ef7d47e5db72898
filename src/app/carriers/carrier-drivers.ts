/** Carrier drivers by `kind`: how each is created and its settings are checked. */
import type { TObject } from 'typebox'
import { checkWithoutPublicUrl, createHttpCarrier } from '../../carriers/http/http-carrier.ts'
import { HTTP_SETTINGS, readHttpSettings } from '../../carriers/http/settings.ts'
import { createLookupCarrier } from '../../carriers/lookup/lookup-carrier.ts'
import { LOOKUP_SETTINGS, readLookupSettings } from '../../carriers/lookup/settings.ts'
import { createRbmCarrier } from '../../carriers/rbm/rbm-carrier.ts'
import { RBM_SETTINGS, readRbmSettings } from '../../carriers/rbm/settings.ts'
import { smppAccounts } from '../../carriers/receipt-origins.ts'
import type { CarrierTools } from '../../carriers/shared/carrier-tools.ts'
import { readSipSettings, SIP_SETTINGS } from '../../carriers/sip/settings.ts'
import { createSipCarrier } from '../../carriers/sip/sip-carrier.ts'
import { readSmppSettings, SMPP_SETTINGS } from '../../carriers/smpp/settings.ts'
import { createSmppCarrier } from '../../carriers/smpp/smpp-carrier.ts'
import { readTelegramSettings, TELEGRAM_SETTINGS } from '../../carriers/telegram/settings.ts'
import { createTelegramCarrier } from '../../carriers/telegram/telegram-carrier.ts'
import { readViberSettings, VIBER_SETTINGS } from '../../carriers/viber/settings.ts'
import { createViberCarrier } from '../../carriers/viber/viber-carrier.ts'
import { readWhatsAppSettings, WHATSAPP_SETTINGS } from '../../carriers/whatsapp/settings.ts'
import { createWhatsAppCarrier } from '../../carriers/whatsapp/whatsapp-carrier.ts'
import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { CarrierKind, Reach } from '../../operations/admin/fields/carrier-kinds.ts'
import type { Carrier, DegradedAfter } from '../../ports/carriers/carrier.ts'

interface Driver {
  readonly schema: TObject
  readonly create: (setup: CarrierSetup, tools: CarrierTools) => Carrier
  /** Throws an Error naming the invalid setting. */
  readonly read: (settings: unknown) => { readonly degradedAfter: DegradedAfter }
  /** The accounts at the carrier's service that may send its receipts. Throws an Error for invalid settings. */
  readonly accounts: (settings: unknown) => readonly string[]
}

const DRIVERS: Readonly<Record<CarrierKind, Driver>> = {
  rbm: { schema: RBM_SETTINGS, create: createRbmCarrier, read: readRbmSettings, accounts: rbmAgents },
  viber: { schema: VIBER_SETTINGS, create: createViberCarrier, read: readViberSettings, accounts: viberServices },
  whatsapp: {
    schema: WHATSAPP_SETTINGS,
    create: createWhatsAppCarrier,
    read: readWhatsAppSettings,
    accounts: (settings) => [readWhatsAppSettings(settings).wabaId],
  },
  smpp: {
    schema: SMPP_SETTINGS,
    create: createSmppCarrier,
    read: readSmppSettings,
    accounts: (settings) => smppAccounts(readSmppSettings(settings)),
  },
  telegram: {
    schema: TELEGRAM_SETTINGS,
    create: createTelegramCarrier,
    read: readTelegramSettings,
    accounts: (settings) => [readTelegramSettings(settings).baseUrl],
  },
  // Calls have no receipts.
  sip: { schema: SIP_SETTINGS, create: createSipCarrier, read: readSipSettings, accounts: () => [] },
  http: { schema: HTTP_SETTINGS, create: createHttpCarrier, read: readHttpSettings, accounts: httpServices },
  lookup: { schema: LOOKUP_SETTINGS, create: createLookupCarrier, read: readLookupSettings, accounts: () => [] },
}

function rbmAgents(settings: unknown): readonly string[] {
  const { agentId, agents } = readRbmSettings(settings)
  return [agentId, ...[...agents.values()].flatMap((ids) => Object.values(ids))]
}

function viberServices(settings: unknown): readonly string[] {
  const { serviceId, services } = readViberSettings(settings)
  return [serviceId, ...services.values()].map(String)
}

function httpServices(settings: unknown): readonly string[] {
  const { receipt, request } = readHttpSettings(settings)
  return receipt === null ? [] : [request.origin]
}

/** The settings of each kind, as JSON Schema. */
export const CARRIER_SCHEMAS = Object.fromEntries(
  Object.entries(DRIVERS).map(([kind, { schema }]) => [kind, schema]),
) as Readonly<Record<CarrierKind, TObject>>

/** Throws an Error naming the invalid setting. */
export function createCarrier(setup: CarrierSetup, tools: CarrierTools): Carrier {
  const driver = new Map(Object.entries(DRIVERS)).get(setup.kind)
  if (driver === undefined) {
    throw new Error(`there is no carrier kind ${setup.kind}; must be one of ${Object.keys(DRIVERS).join(', ')}`)
  }
  const { degradedAfter } = driver.read(setup.settings)
  return Object.assign(driver.create(setup, tools), { degradedAfter })
}

/** Reads a carrier's settings as its driver does, so that errors show at setup. Throws an Error. */
export function checkCarrierSettings(kind: CarrierKind, settings: unknown, reach?: Reach): void {
  DRIVERS[kind].read(settings)
  if (reach?.publicUrl === null && kind === 'http') checkWithoutPublicUrl(readHttpSettings(settings))
}

/**
 * Returns the accounts at the carrier's service that may send its receipts. Empty for kinds without receipts, and for
 * settings that cannot be read.
 */
export function receiptAccounts({ kind, settings }: CarrierSetup): readonly string[] {
  try {
    return new Map(Object.entries(DRIVERS)).get(kind)?.accounts(settings) ?? []
  } catch {
    return []
  }
}
