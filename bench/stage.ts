/**
 * What benchmarks of one run share: the generator, the bare server and the systems, each started when it is first
 * used.
 */
import { whyPostgresIsMissing } from '../test/support/postgres-programs.ts'
import { BareServer } from './bare.ts'
import { Child } from './child.ts'
import { type CompiledGateway, compileGateway } from './compile-gateway.ts'
import { accept, batchedSystemOf, deliver, type System, systemOf } from './deliveries.ts'
import { type GatewayOptions, type GatewayUnderLoad, gatherStatistics, startGateway } from './gateways.ts'
import { type Kannel, startKannels } from './kannel.ts'

/** How much is measured. */
export interface Scale {
  readonly rounds: number
  /** Messages of one measurement, about a second's worth. */
  readonly messages: number
  /** Messages that a gateway delivers before it is measured: while V8 compiles, each takes a fifth more CPU or half. */
  readonly warming: number
  readonly connections: readonly number[]
  /** Seconds of a measurement that lasts so long by itself. */
  readonly seconds: number
  readonly accounts: number
  /** Messages behind a grown store. */
  readonly stored: number
  /** Messages through a gateway whose memory is measured. */
  readonly remembered: number
  /** Unfinished messages that a gateway starts with. */
  readonly unfinished: number
  /** Messages of a mailing that wait for a slow carrier. */
  readonly backlog: number
}

const WARM_UP_CONNECTIONS = 64

export class Stage {
  readonly scale: Scale
  readonly #opened: { end(): Promise<void> }[] = []
  #load: Child | null = null
  #bare: Promise<BareServer> | null = null
  #compiled: CompiledGateway | null = null
  readonly #gateways = new Map<string, Promise<GatewayUnderLoad>>()
  #kannels: Promise<readonly Kannel[]> | null = null

  constructor(scale: Scale) {
    this.scale = scale
  }

  /** Ends with the stage. */
  keep<T extends { end(): Promise<void> }>(opened: T): T {
    this.#opened.push(opened)
    return opened
  }

  get load(): Child {
    this.#load ??= this.keep(new Child('./http-load.ts'))
    return this.#load
  }

  bare(): Promise<BareServer> {
    this.#bare ??= BareServer.start().then((bare) => this.keep(bare))
    return this.#bare
  }

  gateway(name: GatewayUnderLoad['name'], smsc: 'silent' | 'delivers' = 'delivers'): Promise<GatewayUnderLoad> {
    const key = `${name} ${smsc}`
    const started = this.#gateways.get(key) ?? this.#startGateway(name, smsc)
    this.#gateways.set(key, started)
    return started
  }

  /** The program of a gateway as the package carries it. */
  get file(): string {
    this.#compiled ??= this.keep(compileGateway())
    return this.#compiled.file
  }

  /** A gateway that the caller ends. */
  start(name: GatewayUnderLoad['name'], options: Omit<GatewayOptions, 'file'>): Promise<GatewayUnderLoad> {
    return startGateway(name, { ...options, file: this.file })
  }

  async #startGateway(name: GatewayUnderLoad['name'], smsc: 'silent' | 'delivers'): Promise<GatewayUnderLoad> {
    const gateway = this.keep(await this.start(name, { smsc }))
    await this.warmUp(gateway, smsc)
    return gateway
  }

  /** A silent SMSC leaves its messages unfinished, and accepting is a quarter of the code: fewer of them are enough. */
  async warmUp(gateway: GatewayUnderLoad, smsc: 'silent' | 'delivers' = 'delivers'): Promise<void> {
    const { warming } = this.scale
    const load = { connections: WARM_UP_CONNECTIONS }
    if (smsc === 'delivers') await deliver(this.load, systemOf(gateway), { ...load, messages: warming })
    else await accept(this.load, gateway, { ...load, requests: Math.ceil(warming / 4) })
    await gatherStatistics(gateway)
  }

  /** Null, with a line, where it cannot run. */
  async postgres(smsc: 'silent' | 'delivers' = 'delivers'): Promise<GatewayUnderLoad | null> {
    const reason = await whyPostgresIsMissing()
    if (reason === null) return this.gateway('postgres', smsc)
    console.log(`PostgreSQL is skipped: ${reason}`)
    return null
  }

  /** None where the package is not installed. */
  kannels(): Promise<readonly Kannel[]> {
    this.#kannels ??= startKannels().then((kannels) => kannels.map((kannel) => this.keep(kannel)))
    return this.#kannels
  }

  /** All that messages go all the way through. */
  async systems(): Promise<readonly System[]> {
    const postgres = await this.postgres()
    const sqlite = await this.gateway('sqlite')
    const gateways = [sqlite, ...(postgres === null ? [] : [postgres])]
    return [...gateways.map(systemOf), batchedSystemOf(sqlite), ...(await this.kannels())]
  }

  async end(): Promise<void> {
    for (const opened of this.#opened.reverse()) await opened.end()
  }
}
