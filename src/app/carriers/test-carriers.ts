/**
 * Carriers of test messages: a simulator inside the gateway, started with the first test message and reached over the
 * real protocols. They are not configured carriers, so no route can name them.
 */
import { CHANNELS, type RoutedChannel } from '../../domain/channels/channel.ts'
import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { Verdict } from '../../domain/message/journey-event.ts'
import { isTestCarrier, TEST_CARRIERS } from '../../domain/routing/test-mode.ts'
import type {
  Carrier,
  CarrierState,
  Inbox,
  Revocation,
  Revoked,
  Submission,
  WebhookAnswer,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import { openBox, type SimulatorBox } from '../../simulator/simulator-box.ts'

export interface TestCarrierTools {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Creates the regular driver of a setup. */
  readonly createCarrier: (setup: CarrierSetup) => Carrier
  /** Where the simulated carriers post receipts: the gateway's own public port. */
  readonly gatewayAddress: string
}

/** Maximum parts in flight to each. */
const WINDOW = 20
const ARRIVALS_KEPT = 1_000
const PASSWORD_BYTES = 4
/** Timeout for a driver to connect to its simulated carrier, and polling interval. */
const CONNECT_MS = 5_000
const LOOK_MS = 20

export class TestCarriers {
  /** Added to the configured carriers. */
  readonly setups: readonly CarrierSetup[] = CHANNELS.map((channel) => {
    return { id: TEST_CARRIERS[channel], channel, kind: 'test', settings: {} }
  })
  readonly #tools: TestCarrierTools
  #opening: Promise<SimulatorBox> | null = null

  constructor(tools: TestCarrierTools) {
    this.#tools = tools
  }

  /** Creates the driver of a test carrier; regular drivers for every other setup. */
  create(setup: CarrierSetup): Carrier {
    return isTestCarrier(setup.id)
      ? new TestCarrier(setup, this.#tools, () => this.#open())
      : this.#tools.createCarrier(setup)
  }

  /** Call when the carriers are no longer used. */
  async stop(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.stop()
  }

  #open(): Promise<SimulatorBox> {
    this.#opening ??= this.#openBox().catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #openBox(): Promise<SimulatorBox> {
    const { clock, random, log, gatewayAddress } = this.#tools
    const password = Buffer.from(random.bytes(PASSWORD_BYTES)).toString('hex')
    const box = await openBox({ clock, random, ids: TEST_CARRIERS, password, arrivals: ARRIVALS_KEPT })
    box.connect(reachable(gatewayAddress))
    log.info({}, 'simulated phones for test keys started')
    return box
  }
}

class TestCarrier implements Carrier {
  readonly id: string
  readonly channel: RoutedChannel
  readonly window = WINDOW
  readonly #tools: TestCarrierTools
  readonly #openBox: () => Promise<SimulatorBox>
  readonly #since: number
  #inbox: Inbox | null = null
  #driver: Promise<Carrier> | null = null
  /** The driver once it is connected. */
  #ready: Carrier | null = null

  constructor({ id, channel }: CarrierSetup, tools: TestCarrierTools, openBox: () => Promise<SimulatorBox>) {
    this.id = id
    this.channel = channel
    this.#tools = tools
    this.#openBox = openBox
    this.#since = tools.clock.now()
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    try {
      return await (await this.#open()).submit(submission)
    } catch (error) {
      const reason = `the simulated phones are unreachable: ${(error as Error).message}`
      return submission.parts.map(() => ({ kind: 'unreachable', reason }))
    }
  }

  async revoke(revocation: Revocation): Promise<Revoked> {
    return (await this.#ready?.revoke?.(revocation)) ?? { asked: false, detail: '' }
  }

  async answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    return (await this.#ready?.answerWebhook?.(request)) ?? { status: 404, body: 'Not found\n' }
  }

  state(): CarrierState {
    return (
      this.#ready?.state() ?? {
        up: true,
        since: this.#since,
        inFlight: 0,
        lastError: null,
        lastErrorAt: null,
        throughput: null,
        links: [],
      }
    )
  }

  async stop(): Promise<void> {
    await (await this.#driver?.catch(() => null))?.stop()
  }

  #open(): Promise<Carrier> {
    this.#driver ??= this.#launch().catch((error: unknown) => {
      this.#driver = null
      throw error
    })
    return this.#driver
  }

  async #launch(): Promise<Carrier> {
    const { carriers } = await this.#openBox()
    const setup = carriers.find(({ id }) => id === this.id)
    if (setup === undefined || this.#inbox === null) throw new Error('there is no such phone')
    const driver = this.#tools.createCarrier(setup)
    driver.start(this.#inbox)
    this.#ready = driver
    const { clock } = this.#tools
    for (const until = clock.monotonic() + CONNECT_MS; !driver.state().up && clock.monotonic() < until; ) {
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
    }
    return driver
  }
}

/** Replaces an address that listens everywhere by loopback. */
function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
