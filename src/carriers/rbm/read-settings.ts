/** The settings of an RBM carrier. */
import { createPrivateKey } from 'node:crypto'
import { type HttpLinkSettings, readHttpLinkSettings } from '../shared/http-link.ts'
import { SettingReader } from '../shared/setting-reader.ts'

export interface RbmSettings extends HttpLinkSettings {
  /** Without a trailing slash; a regional endpoint or the simulator. */
  readonly baseUrl: string
  readonly serviceAccount: ServiceAccount
  /** The agent of senders that `agents` does not name. */
  readonly agentId: string
  readonly agents: ReadonlyMap<string, string>
  /** The token that Google shows when a webhook is configured. It signs the events. */
  readonly clientToken: string
  /** The traffic type of messages, for agents with several; null to omit it. */
  readonly trafficType: TrafficType | null
  /** By sender, where it differs. */
  readonly trafficTypes: ReadonlyMap<string, TrafficType>
  /**
   * Whether to request the capabilities of a phone before the first message to it: costs a request, and saves one for a
   * phone without RCS.
   */
  readonly checkCapabilities: boolean
  /** How long capabilities are cached. */
  readonly capabilitySeconds: number
}

const TRAFFIC_TYPES = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const
export type TrafficType = (typeof TRAFFIC_TYPES)[number]

/** The fields of Google's JSON key file that are needed, under their own names; others are ignored. */
export interface ServiceAccount {
  readonly client_email: string
  /** RSA, in PEM. */
  readonly private_key: string
  readonly token_uri: string
}

/** @throws Error that names the invalid setting: `serviceAccount.token_uri: should be …`. */
export function readRbmSettings(json: unknown): RbmSettings {
  const settings = new SettingReader(json)
  const account = settings.group('serviceAccount')
  const read: RbmSettings = {
    baseUrl: settings.address('baseUrl', 'https://rcsbusinessmessaging.googleapis.com'),
    serviceAccount: {
      client_email: account.text('client_email'),
      private_key: readPrivateKey(account),
      token_uri: account.address('token_uri'),
    },
    agentId: settings.text('agentId'),
    agents: settings.map('agents', (agents, sender) => agents.text(sender)),
    clientToken: settings.text('clientToken'),
    trafficType: readTrafficType(settings, 'trafficType'),
    trafficTypes: settings.map('trafficTypes', (types, sender) => types.oneOf(sender, TRAFFIC_TYPES)),
    checkCapabilities: settings.flag('checkCapabilities', false),
    capabilitySeconds: settings.wholeNumber('capabilitySeconds', 60, 2_592_000, 86_400),
    ...readHttpLinkSettings(settings),
  }
  settings.end()
  return read
}

function readTrafficType(settings: SettingReader, name: string): TrafficType | null {
  return settings.has(name) ? settings.oneOf(name, TRAFFIC_TYPES) : null
}

function readPrivateKey(account: SettingReader): string {
  const key = account.text('private_key')
  // The error must not contain the key.
  const rule = 'should be an RSA private key in PEM'
  const { asymmetricKeyType } = account.check('private_key', () => createPrivateKey(key), rule)
  if (asymmetricKeyType === 'rsa') return key
  throw account.wrong('private_key', rule)
}
