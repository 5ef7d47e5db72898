/**
 * The sandbox: the gateway with the simulator, which it reaches through regular drivers and real protocols. Creates a
 * demo account with money, senders and prices, and keeps its data between runs.
 */
import { type Gateway, startGateway } from '../app/gateway.ts'
import { checkForGateway } from '../app/parts/operation-tools.ts'
import type { Config } from '../app/settings/config.ts'
import { consoleAddress } from '../app/settings/console-address.ts'
import type { DirectoryRows } from '../domain/directory/directory.ts'
import { inboundFormsOf } from '../domain/inbound/inbound-number.ts'
import type { Clock } from '../ports/system/clock.ts'
import type { Log } from '../ports/system/log.ts'
import type { Random } from '../ports/system/random.ts'
import { sandboxLookup } from '../simulator/lookup/lookup.ts'
import type { PhoneReply } from '../simulator/phone-reply.ts'
import { openBox, type SimulatorBox } from '../simulator/simulator-box.ts'
import { startPhoneControl } from './phone-control.ts'
import { SANDBOX_CARRIERS, setUpSandbox } from './set-up.ts'

export interface Sandbox {
  readonly address: string
  readonly adminAddress: string
  /** API key of the demo account. */
  readonly key: string
  /** Owner's token for the admin API. */
  readonly adminToken: string
  /** Link that signs the owner in to the console, once. */
  readonly console: string
  /** Secret of the demo account for verifying reports. */
  readonly hookSecret: string
  /** A shell command that sends a first message. */
  readonly curl: string
  readonly box: SimulatorBox
  readonly gateway: Gateway
  /** Stops carriers and phones; the gateway goes on. */
  stopSimulator(): Promise<void>
  stop(): Promise<void>
}

export interface SandboxTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** log2 of the work of hashing a new password, less in tests; that of hash-password.ts if absent. */
  readonly passwordLogN?: number | undefined
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export async function startSandbox(tools: SandboxTools): Promise<Sandbox> {
  const { clock, random } = tools
  checkForGateway(tools.config)
  const config: Config = { ...tools.config, hookAllow: [...tools.config.hookAllow, ...LOOPBACK] }
  const box = await openBox({ clock, random, ids: SANDBOX_CARRIERS, password: 'sandbox' })
  const { demo, gateway } = await startWith(box, { ...tools, config }).catch(async (error: unknown) => {
    await box.stop()
    throw error
  })
  const write = async (reply: PhoneReply) => refusalOf(reply, await gateway.store.loadDirectory()) ?? box.write(reply)
  const phones = await startPhoneControl({ dataDir: config.dataDir, random, write })
  const stopSimulator = async () => {
    await phones.stop()
    await box.stop()
  }
  return {
    address: gateway.address,
    adminAddress: gateway.adminAddress,
    key: demo.key,
    hookSecret: demo.hookSecret,
    adminToken: demo.adminToken,
    console: `${consoleAddress(gateway.adminAddress)}${demo.consolePath}`,
    curl: curlLine(gateway.address, demo.key),
    box,
    gateway,
    stopSimulator,
    stop: async () => {
      await gateway.stop()
      await stopSimulator()
    },
  }
}

async function startWith(box: SimulatorBox, tools: SandboxTools) {
  const demo = await setUpSandbox(tools, box.carriers)
  const onListening = (address: string) => box.connect(address)
  return { demo, gateway: await startGateway({ ...tools, lookup: sandboxLookup, onListening }) }
}

/** Returns why no account gets what a phone writes; null if one does. */
function refusalOf({ channel, to, taps }: PhoneReply, { inboundNumbers }: DirectoryRows): string | null {
  const carrier = SANDBOX_CARRIERS[channel]
  const ofCarrier = inboundNumbers.filter(({ carrierId }) => carrierId === carrier)
  const forms = inboundFormsOf(to)
  if (taps === true || ofCarrier.some(({ address }) => forms.includes(address))) return null
  return `to: ${to} is no inbound number of ${carrier}: posthorn inbound-number list shows them`
}

function curlLine(address: string, key: string): string {
  const body = {
    auth: key,
    data: [{ type: 'rcs', id: 1, phone: 491701234500, rcs_signature: 'RCSTest', rcs_message: 'Hello from Posthorn' }],
  }
  return `curl -s ${address}/api/json.php -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}
