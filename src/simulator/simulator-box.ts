/** The complete simulator: the phones, and the simulated carriers that reach them, each on a free port of loopback. */
import { CHANNELS, type Channel } from '../domain/channels/channel.ts'
import type { CarrierSetup } from '../domain/directory/directory.ts'
import type { Clock } from '../ports/system/clock.ts'
import type { Random } from '../ports/system/random.ts'
import { NumberService } from './lookup/number-service.ts'
import { type PhoneReply, writeReply } from './phone-reply.ts'
import { WHATSAPP_NUMBER_ID, WHATSAPP_SENDER } from './phones/reply-channels.ts'
import { PhoneTraffic } from './phones/traffic.ts'
import { type RbmDouble, startRbmDouble } from './rbm/rbm.ts'
import { type CalledPhone, startCalledPhone } from './sip/called-phone.ts'
import { type Smsc, startSmsc } from './smpp/smsc.ts'
import { startTelegramDouble } from './telegram/telegram.ts'
import { startViberDouble, type ViberDouble } from './viber/viber.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from './whatsapp/whatsapp.ts'

export interface SimulatorBox {
  /** Messages and calls that reached the phones. */
  readonly traffic: PhoneTraffic
  readonly rbm: RbmDouble
  readonly viber: ViberDouble
  readonly smsc: Smsc
  /** Null without an id for its carrier. */
  readonly whatsapp: WhatsAppDouble | null
  readonly phone: CalledPhone
  /** Null if no id is given for its carrier. */
  readonly numbers: NumberService | null
  /** Settings with which the ordinary drivers reach the simulated carriers. */
  readonly carriers: readonly CarrierSetup[]
  /** A phone writes. Returns why the gateway did not take the message; null if it did. */
  write(reply: PhoneReply): Promise<string | null>
  /** From now on carriers report to the gateway at this address. */
  connect(gatewayAddress: string): void
  stop(): Promise<void>
}

/** A second messenger, WhatsApp, and the lookup service have a carrier only where they have an id. */
type SimulatedCarriers = Readonly<Record<Channel, string>> & {
  readonly whatsapp?: string
  readonly lookup?: string
}

export interface BoxOptions {
  readonly clock: Clock
  readonly random: Random
  /** The ids of the simulated carriers in the gateway. */
  readonly ids: SimulatedCarriers
  /** Password of the SMS centre, at most eight characters. */
  readonly password: string
  /** Limit of remembered arrivals. */
  readonly arrivals?: number
}

/** The RCS agent and the Viber service of all sender names. */
export const SIMULATED_AGENT = 'sandbox-agent'
export const SIMULATED_SERVICE = 4_321

/** Time limit for answers: shorter than for real carriers, for users who try the phones by hand. */
const TIMEOUT_MS = 5_000

export async function openBox({ clock, random, ids, password, arrivals }: BoxOptions): Promise<SimulatorBox> {
  const traffic = new PhoneTraffic(arrivals)
  const tools = { clock, random, traffic }
  const smpp = { systemId: 'posthorn', password }
  const [rbm, viber, smsc, telegram, phone, whatsapp, numbers] = await Promise.all([
    startRbmDouble(tools),
    startViberDouble(tools),
    startSmsc({ ...tools, ...smpp }),
    startTelegramDouble(tools),
    startCalledPhone(tools),
    ids.whatsapp === undefined ? null : startWhatsAppDouble(tools),
    ids.lookup === undefined ? null : NumberService.start(random),
  ])
  const { serviceAccount, clientToken } = rbm
  const timeout = { requestTimeoutMs: TIMEOUT_MS }
  const host = '127.0.0.1'
  const setups: Readonly<Record<Channel, Pick<CarrierSetup, 'kind' | 'settings'>>> = {
    rcs: {
      kind: 'rbm',
      settings: { baseUrl: rbm.address, serviceAccount, agentId: SIMULATED_AGENT, clientToken, ...timeout },
    },
    chatapp: {
      kind: 'viber',
      settings: { baseUrl: viber.address, serviceId: SIMULATED_SERVICE, webhookToken: viber.webhookToken, ...timeout },
    },
    sms: {
      kind: 'smpp',
      settings: { host, port: smsc.port, ...smpp, window: 100, responseTimeoutMs: TIMEOUT_MS },
    },
    telegram: {
      kind: 'telegram',
      // The double reports to the address that it gets later: the gateway's own is not known yet.
      settings: {
        baseUrl: telegram.address,
        token: telegram.token,
        callbackUrl: 'https://sandbox.invalid/',
        ...timeout,
      },
    },
    call: { kind: 'sip', settings: { host, port: phone.port, window: 50 } },
  }
  return {
    traffic,
    rbm,
    viber,
    smsc,
    phone,
    whatsapp,
    numbers,
    carriers: [
      ...CHANNELS.map((channel) => ({ id: ids[channel], channel, ...setups[channel] })),
      ...(whatsapp === null ? [] : [whatsAppCarrier(whatsapp, ids.whatsapp ?? '')]),
      ...(numbers === null ? [] : [numbers.carrier(ids.lookup ?? '')]),
    ],
    write: (reply) => writeReply({ traffic, rbm, viber, smsc, whatsapp }, reply),
    connect: (address) => {
      rbm.setWebhook(`${address}/carriers/${ids.rcs}`)
      viber.setWebhook(`${address}/carriers/${ids.chatapp}`)
      telegram.setWebhook(`${address}/carriers/${ids.telegram}`)
      whatsapp?.setWebhook(`${address}/carriers/${ids.whatsapp}`)
    },
    stop: async () => {
      await Promise.all([
        rbm.stop(),
        viber.stop(),
        smsc.stop(),
        telegram.stop(),
        phone.stop(),
        whatsapp?.stop(),
        numbers?.stop(),
      ])
    },
  }
}

function whatsAppCarrier({ address, accessToken, appSecret, wabaId }: WhatsAppDouble, id: string): CarrierSetup {
  const settings = {
    baseUrl: address,
    wabaId,
    accessToken,
    appSecret,
    verifyToken: 'sandbox',
    senders: { [WHATSAPP_SENDER]: WHATSAPP_NUMBER_ID },
    requestTimeoutMs: TIMEOUT_MS,
  }
  return { id, channel: 'chatapp', kind: 'whatsapp', settings }
}
