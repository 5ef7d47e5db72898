/**
 * What is around the gateway and outlives it: the carriers' doubles and the client's hook, on real sockets, by the
 * clock of the machine. Keeps all that reached them, each with the life of the gateway in which it came.
 */

import { systemClock } from '../../src/app/system/system-clock.ts'
import type { CarrierSetup } from '../../src/domain/directory/directory.ts'
import type { Random } from '../../src/ports/system/random.ts'
import { type MessageScript, scriptOf } from '../../src/simulator/phones/phones.ts'
import { type PhoneArrival, PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startRbmDouble } from '../../src/simulator/rbm/rbm.ts'
import { startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import { startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { startViberDouble } from '../../src/simulator/viber/viber.ts'
import { HookSink } from '../support/hook-sink.ts'
import { splitReports } from '../support/split-reports.ts'
import type { Tally } from './tally.ts'

/** Small, so that the bound on what a crash can send twice bites. */
export const WINDOWS = { rcs: 8, chatapp: 4, sms: 10, call: 5 } as const

/** Nothing is sent twice because a double was slow to answer on a busy machine. */
const NEVER_TOO_LATE_MS = 60_000

export interface LivedArrival extends PhoneArrival {
  /** Which life of the gateway sent it, from 1. */
  readonly life: number
  /** Milliseconds, `performance.now()`. */
  readonly cameAt: number
}

export interface ReceivedReport {
  /** The `webhook-id`, or the `webhook_id` in an array. */
  readonly id: string
  readonly path: string
  readonly body: string
}

export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>

export async function openSurroundings(random: Random, tally: Tally) {
  const traffic = new LivedTraffic(tally)
  const smsScripts = new Map<string, MessageScript>()
  const tools = { clock: systemClock, random, traffic }
  const login = { systemId: 'posthorn', password: 'crash' }
  const [rbm, viber, smsc, phone, hook] = await Promise.all([
    startRbmDouble(tools),
    startViberDouble(tools),
    startSmsc({ ...tools, ...login, script: (digits) => smsScripts.get(digits) ?? scriptOf(digits).sms }),
    startCalledPhone(tools),
    HookSink.open(systemClock),
  ])
  const { address: baseUrl, serviceAccount, clientToken } = rbm
  const patient = { requestTimeoutMs: NEVER_TOO_LATE_MS }
  const host = '127.0.0.1'
  const carriers: readonly CarrierSetup[] = [
    {
      id: 'rbm',
      channel: 'rcs',
      kind: 'rbm',
      settings: { baseUrl, serviceAccount, clientToken, agentId: 'agent', window: WINDOWS.rcs, ...patient },
    },
    {
      id: 'viber',
      channel: 'chatapp',
      kind: 'viber',
      settings: {
        baseUrl: viber.address,
        serviceId: 1,
        webhookToken: viber.webhookToken,
        window: WINDOWS.chatapp,
        ...patient,
      },
    },
    {
      id: 'smsc',
      channel: 'sms',
      kind: 'smpp',
      settings: { host, port: smsc.port, ...login, window: WINDOWS.sms, responseTimeoutMs: NEVER_TOO_LATE_MS },
    },
    {
      id: 'voice',
      channel: 'call',
      kind: 'sip',
      settings: { host, port: phone.port, window: WINDOWS.call, ringMs: 100, setupTimeoutMs: 30_000 },
    },
  ]
  return {
    carriers,
    hook,
    smsc,
    traffic,
    /** What the SMSC does with a phone, instead of the table in phones.ts. */
    smsScripts,
    received: (): readonly ReceivedReport[] =>
      hook.calls.flatMap(({ headers, path, body }) =>
        splitReports({ id: String(headers['webhook-id']), body }).map((report) => ({ path, ...report })),
      ),
    connect: (gatewayAddress: string) => {
      rbm.setWebhook(`${gatewayAddress}/carriers/rbm`)
      viber.setWebhook(`${gatewayAddress}/carriers/viber`)
    },
    stop: () => Promise.all([rbm.stop(), viber.stop(), smsc.stop(), phone.stop(), hook.close()]),
  }
}

/** The traffic with the life in which each arrival came. */
class LivedTraffic extends PhoneTraffic {
  readonly lived: LivedArrival[] = []
  life = 0
  readonly #tally: Tally

  constructor(tally: Tally) {
    super()
    this.#tally = tally
  }

  override add(arrival: PhoneArrival): void {
    super.add(arrival)
    this.lived.push({ ...arrival, life: this.life, cameAt: performance.now() })
    this.#tally.happened('submitted')
  }
}
