/** The settings of an RBM carrier. */
import { createPrivateKey } from 'node:crypto'
import Type from 'typebox'
import { readSettings } from '../shared/read-settings.ts'
import {
  address,
  COMMON_SETTINGS,
  choice,
  flag,
  group,
  HTTP_LINK_SETTINGS,
  mapOf,
  orRefuse,
  parsed,
  SECRET,
  seconds,
  text,
} from '../shared/setting-kinds.ts'

export type RbmSettings = ReturnType<typeof readRbmSettings>
export type ServiceAccount = RbmSettings['serviceAccount']

const TRAFFIC_TYPES = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const
const RSA_RULE = 'an RSA private key in PEM'
export type TrafficType = (typeof TRAFFIC_TYPES)[number]

const SERVICE_ACCOUNT = Type.Object(
  {
    client_email: text('Address of the service account.'),
    private_key: parsed(text('Its key.', { rule: RSA_RULE, ...SECRET }), checkRsaKey),
    token_uri: address('Where tokens are fetched.'),
  },
  {
    description:
      'Content of the JSON key file that *Integrations*, *Service account*, *Create key* downloads; its other fields are ignored. Delete the file afterwards.',
  },
)

export const RBM_SETTINGS = group(
  {
    agentId: text('Id of the agent: in the address of its page, or the part before `@rbm.goog`.'),
    clientToken: text('Token of the webhook `PUBLIC_URL/carriers/google`, under *Integrations*, *Webhook*.', SECRET),
    serviceAccount: SERVICE_ACCOUNT,
    agents: mapOf(text('Id of the agent.'), 'Agents of single senders: `{"Example Shop": "other_agent"}`.'),
    checkCapabilities: flag('Asks whether a phone has RCS before the first message to it.', false),
    capabilitySeconds: seconds(60, 2_592_000, 'How long that answer is used.', 86_400),
    trafficType: Type.Optional(choice(TRAFFIC_TYPES, 'Of all messages, for agents with several uses.')),
    trafficTypes: mapOf(
      choice(TRAFFIC_TYPES, 'Traffic type of the messages of this sender.'),
      'Traffic types of single senders: `{"Shop": "AUTHENTICATION"}`.',
    ),
    baseUrl: address('Address of the API: a regional endpoint, or the simulator.', {
      default: 'https://rcsbusinessmessaging.googleapis.com',
    }),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'RCS by Google RCS for Business.',
  'Google RCS (`rbm`)',
)

/** @throws Error that names the invalid setting: `serviceAccount.token_uri: should be …`. */
export function readRbmSettings(json: unknown) {
  return readSettings(RBM_SETTINGS, json)
}

function checkRsaKey(key: string): string {
  // The error does not contain the key.
  const type = orRefuse(RSA_RULE, () => createPrivateKey(key).asymmetricKeyType)
  if (type === 'rsa') return key
  throw new Error(`should be ${RSA_RULE}`)
}
