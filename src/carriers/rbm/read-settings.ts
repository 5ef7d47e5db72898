/** The settings of an RBM carrier, read once and refused with one clear Error when a field is wrong. */
import { createPrivateKey } from 'node:crypto'
import { SettingReader } from '../setting-reader.ts'

export interface RbmSettings {
  /** Without a slash at its end; a regional endpoint or the double. */
  readonly baseUrl: string
  readonly serviceAccount: ServiceAccount
  /** The agent for senders that `agents` does not name. */
  readonly agentId: string
  readonly agents: ReadonlyMap<string, string>
  /** The token that Google shows when a webhook is configured: signs the events. */
  readonly clientToken: string
  /** Which kind of traffic messages are, for agents that may send several; null leaves it out. */
  readonly trafficType: TrafficType | null
  /** The same for senders that have their own. */
  readonly trafficTypes: ReadonlyMap<string, TrafficType>
  /** Whether a phone is asked for before the first message to it. It costs a request, and saves one where there is no RCS. */
  readonly checkCapabilities: boolean
  /** How long an answer to that is believed. */
  readonly capabilitySeconds: number
  readonly window: number
  readonly requestTimeoutMs: number
}

const TRAFFIC_TYPES = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const
export type TrafficType = (typeof TRAFFIC_TYPES)[number]

/** The fields of Google's JSON key file that are needed, under their own names; its others are let be. */
export interface ServiceAccount {
  readonly client_email: string
  /** RSA, in PEM. */
  readonly private_key: string
  readonly token_uri: string
}

/** @throws Error that names the wrong field: `serviceAccount.token_uri: should be …`. */
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
    window: settings.wholeNumber('window', 1, 1_000, 32),
    requestTimeoutMs: settings.wholeNumber('requestTimeoutMs', 100, 120_000, 15_000),
  }
  settings.end()
  return read
}

function readTrafficType(settings: SettingReader, name: string): TrafficType | null {
  return settings.has(name) ? settings.oneOf(name, TRAFFIC_TYPES) : null
}

function readPrivateKey(account: SettingReader): string {
  const key = account.text('private_key')
  try {
    if (createPrivateKey(key).asymmetricKeyType === 'rsa') return key
  } catch {
    // The key itself never stands in an error.
  }
  throw account.wrong('private_key', 'should be an RSA private key in PEM')
}
