/** Benches for the HTTP carriers: the carrier, its simulator, and the webhook between them. */
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { createRbmCarrier } from '../../src/carriers/rbm/rbm-carrier.ts'
import { createTelegramCarrier } from '../../src/carriers/telegram/telegram-carrier.ts'
import { createViberCarrier } from '../../src/carriers/viber/viber-carrier.ts'
import { createWhatsAppCarrier } from '../../src/carriers/whatsapp/whatsapp-carrier.ts'
import type { MessageChannel } from '../../src/domain/channels/channel.ts'
import { type AggregatorDouble, startAggregatorDouble } from '../../src/simulator/http/aggregator.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { type RbmDouble, startRbmDouble } from '../../src/simulator/rbm/rbm.ts'
import type { WebhookDouble } from '../../src/simulator/server/webhook-double.ts'
import { startTelegramDouble, type TelegramDouble } from '../../src/simulator/telegram/telegram.ts'
import { startViberDouble, type ViberDouble } from '../../src/simulator/viber/viber.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import type { CarrierBench } from '../conformance/carrier.ts'
import { InboxWitness } from './inbox-witness.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { VirtualClock } from './virtual-clock.ts'
import { openWebhookDoor, type WebhookDoor } from './webhook-door.ts'

export interface HttpBench<Double> extends CarrierBench {
  readonly double: Double
  readonly door: WebhookDoor
  readonly log: SilentLog
  readonly random: SeededRandom
}

export async function buildRbmBench(settings: object = {}): Promise<HttpBench<RbmDouble>> {
  const parts = gather()
  const double = await startRbmDouble(parts)
  const { address: baseUrl, regionalUrls, serviceAccount, clientToken } = double
  const all = {
    baseUrl,
    regionalUrls,
    serviceAccount,
    clientToken,
    agentId: 'agent-one',
    agents: { Shop: 'agent-shop' },
    ...settings,
  }
  const carrier = createRbmCarrier({ id: 'rbm-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

export async function buildViberBench(settings: object = {}): Promise<HttpBench<ViberDouble>> {
  const parts = gather()
  const double = await startViberDouble(parts)
  const { address: baseUrl, webhookToken } = double
  const all = { baseUrl, webhookToken, serviceId: 7, services: { Shop: 77 }, ...settings }
  const carrier = createViberCarrier({ id: 'viber-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

/** @param settings as an operator writes them; `PARROT`, `KEY` and `SECRET` stand for values of the simulator. */
export async function buildAggregatorBench(
  channel: MessageChannel,
  settings: object,
): Promise<HttpBench<AggregatorDouble>> {
  const parts = gather()
  const double = await startAggregatorDouble({ ...parts, channel })
  const written = JSON.stringify(settings)
    .replaceAll('PARROT', double.address)
    .replaceAll('KEY', double.apiKey)
    .replaceAll('SECRET', double.webhookSecret)
  const carrier = createHttpCarrier({ id: 'http-test', channel, settings: JSON.parse(written) }, parts)
  return connect(carrier, double, parts)
}

/** Its only template is the text that the suite sends. */
export async function buildWhatsAppBench(settings: object = {}): Promise<HttpBench<WhatsAppDouble>> {
  const parts = gather()
  const double = await startWhatsAppDouble(parts)
  const { address: baseUrl, accessToken, appSecret, wabaId } = double
  double.templates.push({
    id: '1',
    name: 'greeting',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello number {{1}}' }],
  })
  const all = {
    baseUrl,
    accessToken,
    appSecret,
    wabaId,
    verifyToken: 'verify-me',
    senders: { Shop: '555', Other: '666' },
    ...settings,
  }
  const carrier = createWhatsAppCarrier({ id: 'whatsapp-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

export async function buildTelegramBench(settings: object = {}): Promise<HttpBench<TelegramDouble>> {
  const parts = gather()
  const double = await startTelegramDouble(parts)
  const { address: baseUrl, token } = double
  const all = { baseUrl, token, callbackUrl: 'https://gateway.example/carriers/telegram-test', ...settings }
  const carrier = createTelegramCarrier({ id: 'telegram-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

export function gather() {
  return {
    clock: new VirtualClock(),
    random: new SeededRandom(),
    log: new SilentLog(),
    traffic: new PhoneTraffic(),
    inbox: new InboxWitness(),
  }
}

async function connect<Double extends WebhookDouble>(
  carrier: CarrierBench['carrier'],
  double: Double,
  parts: ReturnType<typeof gather>,
): Promise<HttpBench<Double>> {
  const door = await openWebhookDoor(carrier)
  double.setWebhook(door.address)
  return {
    ...parts,
    carrier,
    double,
    door,
    sender: 'Shop',
    farSide: double,
    stop: async () => {
      await double.stop()
      await door.stop()
    },
  }
}
