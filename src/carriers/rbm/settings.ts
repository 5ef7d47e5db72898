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
import { GLOBAL_URL, REGIONAL_URLS, type Region } from './regions.ts'

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

/** By region; the same in all regions if it is one id. */
const AGENT = parsed(
  Type.Union([
    text('Id of the agent.'),
    group(
      {
        us: Type.Optional(text('Id of the agent for the Americas.')),
        europe: Type.Optional(text('Id of the agent for Europe, Africa and the Middle East.')),
        asia: Type.Optional(text('Id of the agent for Asia and Oceania.')),
      },
      'Ids by region of the recipient; `agentId` for the others.',
    ),
  ]),
  (agent): Readonly<Partial<Record<Region, string>>> => {
    return typeof agent === 'string' ? { us: agent, europe: agent, asia: agent } : agent
  },
)

export const RBM_SETTINGS = group(
  {
    agentId: text('Id of the agent: in the address of its page, or the part before `@rbm.goog`.'),
    clientToken: text('Token of the webhook `PUBLIC_URL/carriers/google`, under *Integrations*, *Webhook*.', SECRET),
    serviceAccount: SERVICE_ACCOUNT,
    agents: mapOf(
      AGENT,
      'Agents of single senders: `{"Example Shop": "other_agent"}`, or `{"Example Shop": {"europe": "shop_eu", "us": "shop_us"}}` with one for each region of the recipients.',
    ),
    checkCapabilities: flag('Asks whether a phone has RCS before the first message to it.', false),
    capabilitySeconds: seconds(60, 2_592_000, 'How long that answer is used.', 86_400),
    trafficType: Type.Optional(choice(TRAFFIC_TYPES, 'Of all messages, for agents with several uses.')),
    trafficTypes: mapOf(
      choice(TRAFFIC_TYPES, 'Traffic type of the messages of this sender.'),
      'Traffic types of single senders: `{"Shop": "AUTHENTICATION"}`.',
    ),
    baseUrl: address('Address of the API: Google or the simulator.', { default: GLOBAL_URL }),
    regionalUrls: Type.Optional(
      group(
        {
          us: address('For the Americas.'),
          europe: address('For Europe, Africa and the Middle East.'),
          asia: address('For Asia and Oceania.'),
        },
        "Where phones of a region are checked together; with Google's address above, its regional hosts, otherwise `baseUrl`.",
      ),
    ),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'RCS by Google RCS for Business.',
  'Google RCS (`rbm`)',
)

/** @throws Error that names the invalid setting: `serviceAccount.token_uri: should be …`. */
export function readRbmSettings(json: unknown) {
  const { regionalUrls, ...settings } = readSettings(RBM_SETTINGS, json)
  const { baseUrl } = settings
  const ofBase = baseUrl === GLOBAL_URL ? REGIONAL_URLS : { us: baseUrl, europe: baseUrl, asia: baseUrl }
  return { ...settings, regionalUrls: regionalUrls ?? ofBase }
}

function checkRsaKey(key: string): string {
  // The error does not contain the key.
  const type = orRefuse(RSA_RULE, () => createPrivateKey(key).asymmetricKeyType)
  if (type === 'rsa') return key
  throw new Error(`should be ${RSA_RULE}`)
}
