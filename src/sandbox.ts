/**
 * The sandbox: the gateway together with the simulator, whose carriers it reaches through the ordinary drivers and the
 * real protocols. It makes a demo account with money, senders and prices, and keeps its data between runs.
 */
import type { Config } from './config.ts'
import type { CarrierSetup } from './domain/directory.ts'
import { type Gateway, startGateway } from './gateway.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Random } from './ports/random.ts'
import { setUpSandbox } from './sandbox-setup.ts'
import { type CalledPhone, startCalledPhone } from './simulator/called-phone.ts'
import { simulatorLookup } from './simulator/lookup.ts'
import { type RbmDouble, startRbmDouble } from './simulator/rbm.ts'
import { type Smsc, startSmsc } from './simulator/smsc.ts'
import { Traffic } from './simulator/traffic.ts'
import { startViberDouble, type ViberDouble } from './simulator/viber.ts'

export interface Sandbox {
  readonly address: string
  readonly adminAddress: string
  /** The demo account's API key. */
  readonly key: string
  /** An owner's token for the admin API. */
  readonly adminToken: string
  /** The demo account's secret for verifying reports. */
  readonly hookSecret: string
  /** A line that sends a first message when pasted into a shell. */
  readonly curl: string
  readonly box: SandboxBox
  readonly gateway: Gateway
  stop(): Promise<void>
}

/** The simulator: the phones, and the doubles of the carriers that reach them. */
export interface SandboxBox {
  /** What reached the phones. */
  readonly traffic: Traffic
  readonly rbm: RbmDouble
  readonly viber: ViberDouble
  readonly smsc: Smsc
  readonly phone: CalledPhone
  /** How the ordinary drivers reach the doubles. */
  readonly carriers: readonly CarrierSetup[]
  /** From now on carriers report to the gateway at this address. */
  connect(gatewayAddress: string): void
  stop(): Promise<void>
}

export interface SandboxTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** How long a double that says nothing is waited for: shorter than in life, for whoever tries the phones by hand. */
const PATIENCE_MS = 5_000

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export async function startSandbox(tools: SandboxTools): Promise<Sandbox> {
  const { clock, random, log } = tools
  const config: Config = { ...tools.config, hookAllow: [...tools.config.hookAllow, ...LOOPBACK] }
  const box = await openBox(tools)
  const { demo, gateway } = await startWith(box, { config, clock, random, log }).catch(async (error: unknown) => {
    await box.stop()
    throw error
  })
  box.connect(gateway.address)
  return {
    address: gateway.address,
    adminAddress: gateway.adminAddress,
    key: demo.key,
    hookSecret: demo.hookSecret,
    adminToken: demo.adminToken,
    curl: curlLine(gateway.address, demo.key),
    box,
    gateway,
    stop: async () => {
      await gateway.stop()
      await box.stop()
    },
  }
}

async function startWith(box: SandboxBox, tools: SandboxTools) {
  const demo = await setUpSandbox(tools, box.carriers)
  return { demo, gateway: await startGateway({ ...tools, lookup: simulatorLookup }) }
}

/** Each double on a free port of its own. */
async function openBox({ clock, random }: SandboxTools): Promise<SandboxBox> {
  const traffic = new Traffic()
  const tools = { clock, random, traffic }
  const smpp = { systemId: 'posthorn', password: 'sandbox' }
  const [rbm, viber, smsc, phone] = await Promise.all([
    startRbmDouble(tools),
    startViberDouble(tools),
    startSmsc({ ...tools, ...smpp }),
    startCalledPhone(tools),
  ])
  const carriers: readonly CarrierSetup[] = [
    {
      id: 'sandbox-rcs',
      channel: 'rcs',
      kind: 'rbm',
      settings: {
        baseUrl: rbm.address,
        serviceAccount: rbm.serviceAccount,
        agentId: 'sandbox-agent',
        clientToken: rbm.clientToken,
        requestTimeoutMs: PATIENCE_MS,
      },
    },
    {
      id: 'sandbox-chat',
      channel: 'chatapp',
      kind: 'viber',
      settings: {
        baseUrl: viber.address,
        serviceId: 4_321,
        webhookToken: viber.webhookToken,
        requestTimeoutMs: PATIENCE_MS,
      },
    },
    {
      id: 'sandbox-sms',
      channel: 'sms',
      kind: 'smpp',
      settings: { host: '127.0.0.1', port: smsc.port, ...smpp, window: 100, responseTimeoutMs: PATIENCE_MS },
    },
    {
      id: 'sandbox-voice',
      channel: 'call',
      kind: 'sip',
      settings: { host: '127.0.0.1', port: phone.port, window: 50 },
    },
  ]
  return {
    traffic,
    rbm,
    viber,
    smsc,
    phone,
    carriers,
    connect: (address) => {
      rbm.setWebhook(`${address}/carriers/sandbox-rcs`)
      viber.setWebhook(`${address}/carriers/sandbox-chat`)
    },
    stop: async () => {
      await Promise.all([rbm.stop(), viber.stop(), smsc.stop(), phone.stop()])
    },
  }
}

function curlLine(address: string, key: string): string {
  const body = {
    auth: key,
    data: [{ type: 'rcs', id: 1, phone: 491701234500, rcs_signature: 'RCSTest', rcs_message: 'Hello from Posthorn' }],
  }
  return `curl -s ${address}/api/json.php -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}
