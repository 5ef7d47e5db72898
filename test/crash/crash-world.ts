/** The world in which the gateway dies: its installation, its surroundings, its clients, and the one who kills it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../src/ports/system/random.ts'
import { splitReports } from '../support/split-reports.ts'
import { takeStoreOfRun } from '../support/store-of-run.ts'
import { type Asking, atOnce, Clients } from './clients.ts'
import { type Evidence, gather, untilAllIsDone } from './evidence.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { Installation, type InstallationSetup } from './installation.ts'
import { within } from './patiently.ts'
import { postgresPlace, sqlitePlace } from './place.ts'
import { Requests } from './requests.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'
import { type Happening, Tally } from './tally.ts'
import { Writers } from './writers.ts'

const CLIENTS = 12
/** Every so many reports the hook is out of order, once for each of them: a second failure would wait for minutes. */
const HOOK_FAILS_EVERY = 40

export class CrashWorld {
  readonly #tally: Tally
  readonly #surroundings: Surroundings
  readonly #installation: Installation
  readonly #gateway: GatewayProcess
  readonly #clients: Clients
  readonly #requests: Requests
  readonly #writers: Writers

  private constructor(tally: Tally, surroundings: Surroundings, installation: Installation, random: Random) {
    this.#tally = tally
    this.#surroundings = surroundings
    this.#installation = installation
    this.#gateway = installation.gateways[0] as GatewayProcess
    this.#clients = new Clients({ count: CLIENTS, gateways: installation.gateways, tally })
    this.#requests = new Requests({
      accounts: installation.accounts,
      hookAddress: surroundings.hook.address,
      smsScripts: surroundings.smsScripts,
      random,
    })
    this.#writers = new Writers(surroundings.smsc, random)
    surroundings.connect(this.#gateway.address)
    const received = new Set<string>()
    let firsts = 0
    surroundings.hook.answer = ({ headers, body }) => {
      const ids = splitReports({ id: String(headers['webhook-id']), body }).map(({ id }) => id)
      for (const _ of ids) tally.happened('reported')
      const isFirst = ids.every((id) => !received.has(id))
      for (const id of ids) received.add(id)
      if (isFirst) firsts += 1
      return { status: isFirst && firsts % HOOK_FAILS_EVERY === 0 ? 503 : 200 }
    }
  }

  static async begin(
    random: Random,
    make: (setup: InstallationSetup) => Promise<Installation> = (setup) => Installation.make(setup),
  ): Promise<CrashWorld> {
    const tally = new Tally()
    const surroundings = await openSurroundings(random, tally)
    const database = await takeStoreOfRun()
    const place = (folder: string) => (database === null ? sqlitePlace(folder) : postgresPlace(folder, database))
    const installation = await make({ carriers: surroundings.carriers, random, place })
    return new CrashWorld(tally, surroundings, installation, random)
  }

  /** From now on, a gateway that is started runs this version. */
  install(): void {
    this.#installation.run()
  }

  get folder(): string {
    return this.#installation.folder
  }

  /** A new life of the gateway. */
  async start(): Promise<void> {
    this.#surroundings.traffic.life += 1
    await this.#gateway.start()
  }

  /** Resolves once every client is as sure of its requests as it can be and all inbound messages have arrived. */
  async load(requests: number): Promise<void> {
    await Promise.all([
      this.#clients.ask(this.#requests.draw(requests), CLIENTS),
      this.#writers.write(Math.ceil(requests / 4)),
    ])
  }

  /** kill -9 when it has happened so many times more, in the middle of it. Resolves when the process is gone. */
  async crashIn(happening: Happening, times: number): Promise<void> {
    await within(
      `${times} times ${happening}`,
      this.#tally.await(happening, times, () => this.#gateway.kill()),
    )
    await this.#gateway.buried()
  }

  /**
   * Once it has happened `times` more times, the disk hangs, and `afterMs` later comes kill -9. In between nothing may
   * be answered, and no more be sent than the windows allow, because nothing is written.
   */
  async crashOnHungDisk(happening: Happening, times: number, afterMs: number): Promise<void> {
    const stalled = Promise.withResolvers<() => unknown>()
    const hangs = this.#tally.await(happening, times, () => stalled.resolve(this.#installation.stall()))
    await within(`${times} times ${happening}`, hangs)
    await pause(afterMs)
    this.#gateway.kill()
    await this.#gateway.buried()
    const release = await stalled.promise
    await release()
  }

  /** Starts it and kills it so many milliseconds later, whether it has come up by then or not. */
  async crashOnTheWayUp(afterMs: number): Promise<void> {
    const starting = this.start()
    await pause(afterMs)
    this.#gateway.kill()
    await starting
    await this.#gateway.buried()
  }

  /** SIGTERM when it has happened so many times more. The exit code of the process, once it is gone. */
  async terminateIn(happening: Happening, times: number): Promise<unknown> {
    await within(
      `${times} times ${happening}`,
      this.#tally.await(happening, times, () => {}),
    )
    return this.#gateway.terminate()
  }

  /** Waits for the end of everything, and says what came of it. The gateway goes on running. */
  async finish(): Promise<Evidence> {
    this.#surroundings.hook.answer = () => ({ status: 200 })
    const { askings } = this.#clients
    await untilAllIsDone(this.#installation, askings, this.#surroundings)
    return gather(this.#installation, askings, this.#surroundings, this.#writers.written)
  }

  /** Repeats every request that has an Idempotency-Key. */
  askAgain(compare: (first: Asking, again: Asking) => void): Promise<void> {
    const keyed = this.#clients.askings.filter(({ request }) => request.key !== null).values()
    return atOnce(CLIENTS, async () => {
      for (const first of keyed) compare(first, await this.#clients.send(first.request))
    })
  }

  async end(): Promise<void> {
    await this.#installation.destroy()
    await this.#clients.close()
    await this.#surroundings.stop()
  }
}
