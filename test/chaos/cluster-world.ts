/** Three gateways on one PostgreSQL database, what is around them, their clients, and the one who breaks things. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { CarrierSetup } from '../../src/domain/directory/directory.ts'
import type { Random } from '../../src/ports/system/random.ts'
import { Clients } from '../crash/clients.ts'
import { type Evidence, gather, untilAllIsDone } from '../crash/evidence.ts'
import type { GatewayProcess } from '../crash/gateway-process.ts'
import { Installation, type InstallationSetup } from '../crash/installation.ts'
import { patiently, within } from '../crash/patiently.ts'
import { postgresPlace } from '../crash/place.ts'
import { type ClientRequest, Requests } from '../crash/requests.ts'
import { openSurroundings, type Surroundings } from '../crash/surroundings.ts'
import { Tally } from '../crash/tally.ts'
import { Writers } from '../crash/writers.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { type Fault, GATEWAYS } from './faults.ts'
import { SmppTap } from './smpp-tap.ts'

/** Of each kind, so that every gateway has some in its share. */
const ACCOUNTS = 4
const CLIENTS = 4
/** So that there is no more to do than the carrier can bear. */
const THINK_MS = 250
/** Shorter than the gateway's own patience with its database: clients come again while the first try still waits. */
const ANSWER_TIMEOUT_MS = 3_000
/** So that something is on the wire whenever something breaks. */
const SMSC_ANSWERS_AFTER_MS = 20
const WINDOW = 5
const THROUGHPUT = 240
const DATABASE = 'chaos'

export interface Limits {
  readonly binds: number
  readonly window: number
  readonly throughput: number
}

/** A fault with what came of it. */
export interface Lived {
  readonly fault: Fault
  /** What clients met from its beginning until all gateways were there again: what went wrong, and how often. */
  readonly failures: ReadonlyMap<string, number>
  /** Milliseconds, `performance.now()`. */
  readonly begunAt: number
  readonly endedAt: number
}

export class ClusterWorld {
  readonly limits: Limits
  readonly tap: SmppTap
  readonly lived: Lived[] = []
  readonly #server: PostgresServer
  readonly #tally: Tally
  readonly #surroundings: Surroundings
  readonly #installation: Installation
  readonly #clients: Clients
  readonly #requests: Requests
  readonly #writers: Writers
  #load: Promise<unknown> = Promise.resolve()
  #isOver = false

  private constructor(parts: {
    readonly server: PostgresServer
    readonly tally: Tally
    readonly surroundings: Surroundings
    readonly tap: SmppTap
    readonly installation: Installation
    readonly limits: Limits
    readonly random: Random
  }) {
    const { server, tally, surroundings, tap, installation, limits, random } = parts
    const { accounts, gateways } = installation
    const { hook, smsScripts, smsc } = surroundings
    this.limits = limits
    this.tap = tap
    this.#server = server
    this.#tally = tally
    this.#surroundings = surroundings
    this.#installation = installation
    this.#clients = new Clients({
      ...{ count: CLIENTS, gateways, tally },
      ...{ answerTimeoutMs: ANSWER_TIMEOUT_MS, thinkMs: THINK_MS },
    })
    this.#requests = new Requests({ accounts, hookAddress: hook.address, smsScripts, random, channels: 'sms' })
    this.#writers = new Writers(smsc, random)
    hook.answer = () => {
      tally.happened('reported')
      return { status: 200 }
    }
    smsc.inject({ kind: 'slow', answersAfterMs: SMSC_ANSWERS_AFTER_MS })
  }

  /** `server` is asked for one database, and is stopped and started as faults have it. */
  static async begin(
    server: PostgresServer,
    random: Random,
    make: (setup: InstallationSetup) => Promise<Installation> = (setup) => Installation.make(setup),
  ): Promise<ClusterWorld> {
    const tally = new Tally()
    const surroundings = await openSurroundings(random, tally)
    const tap = await SmppTap.open(surroundings.smsc.port)
    // Fewer than gateways, as many, or more: some gateways may have nothing to send by.
    const limits = { binds: 2 + random.below(GATEWAYS), window: WINDOW, throughput: THROUGHPUT }
    const carriers = surroundings.carriers.flatMap((carrier) =>
      carrier.kind === 'smpp' ? overTap(carrier, tap.port, limits) : [],
    )
    await server.query('postgres', `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`)
    await server.query('postgres', `CREATE DATABASE ${DATABASE}`)
    const database = { url: server.urlOf(DATABASE), query: (sql: string) => server.query(DATABASE, sql) }
    const place = (folder: string) => {
      const made = postgresPlace(folder, database)
      // No request may fail in a rolling restart.
      return { ...made, environment: { ...made.environment, POSTHORN_STOP_NOTICE_SECONDS: '2' } }
    }
    const setup = { carriers, random, gateways: GATEWAYS, accounts: ACCOUNTS, place }
    const installation = await make(setup)
    return new ClusterWorld({ server, tally, surroundings, tap, installation, limits, random })
  }

  /** Starts the gateways and the load, which goes on until `finish`. */
  async start(): Promise<void> {
    await Promise.all(this.#installation.gateways.map((gateway) => gateway.start()))
    this.#load = Promise.all([this.#clients.ask(this.#drawUntilOver(), CLIENTS), this.#write()])
    // `finish` awaits it and rejects; this only avoids an unhandled rejection until then.
    this.#load.catch(() => {})
  }

  /** From now on, gateways that are started run this version. */
  install(): void {
    this.#installation.run()
  }

  /** Lets it happen under load. Resolves when all gateways are there again and reports arrive. */
  async suffer(fault: Fault): Promise<void> {
    const begunAt = performance.now()
    this.#surroundings.traffic.life += 1
    await this.#happen(fault)
    const failures = this.#clients.failures.filter(({ at }) => at >= begunAt)
    this.lived.push({
      fault,
      failures: new Map(
        [...Map.groupBy(failures, ({ reason }) => reason)].map(([reason, all]) => [reason, all.length]),
      ),
      begunAt,
      endedAt: performance.now(),
    })
    await this.#until('reported', 20)
  }

  /** Ends the load, waits for the end of everything, and says what came of it. The gateways go on running. */
  async finish(): Promise<Evidence> {
    this.#isOver = true
    await this.#load
    const { askings } = this.#clients
    await untilAllIsDone(this.#installation, askings, this.#surroundings)
    return gather(this.#installation, askings, this.#surroundings, this.#writers.written)
  }

  /** Describes a failure: what is open, where it is, and the last output of the gateways. */
  async diagnose(): Promise<string> {
    const ask = (sql: string) => this.#server.query(DATABASE, sql).catch((error: Error) => [{ error: error.message }])
    const open = await ask(
      `SELECT due.node, due.channel, due.due_at - extract(epoch FROM now()) * 1000 AS due_in_ms, message.*
       FROM due JOIN message USING (bucket, msg_id) ORDER BY msg_id LIMIT 5`,
    )
    const counts = await ask('SELECT node, channel, count(*)::integer FROM due GROUP BY 1, 2')
    const tables = {
      open,
      counts,
      nodes: await ask('SELECT * FROM node'),
      slots: await ask('SELECT * FROM carrier_slot'),
      reports: await ask(
        `SELECT report.*, due_at - extract(epoch FROM now()) * 1000 AS due_in_ms FROM report
         WHERE msg_id IN (SELECT msg_id FROM report WHERE state = 'pending' ORDER BY msg_id LIMIT 3) ORDER BY msg_id, number`,
      ),
    }
    const carriers = await Promise.all(this.#installation.gateways.map((gateway) => gateway.carriers()))
    const said = this.#installation.gateways.map((gateway) => gateway.lastWords)
    return [JSON.stringify(tables, null, 1), `most connections ${this.tap.maxOpen}`, ...said, ...carriers].join('\n')
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#installation.destroy()
    await this.#clients.close()
    await this.tap.close()
    await this.#surroundings.stop()
  }

  async #happen(fault: Fault): Promise<void> {
    const { gateways } = this.#installation
    const gateway = gateways[fault.gateway] as GatewayProcess
    const amidst = (action: () => void) =>
      within(`${fault.times} times ${fault.happening}`, this.#tally.await(fault.happening, fault.times, action))
    switch (fault.kind) {
      case 'killed':
        await amidst(() => gateway.kill())
        await gateway.buried()
        if (!fault.comesAtOnce) await this.#untilDelivering(GATEWAYS - 1)
        return gateway.start()
      case 'all killed':
        await amidst(() => {
          for (const each of gateways) each.kill()
        })
        await Promise.all(gateways.map((each) => each.buried()))
        await Promise.all(gateways.map((each) => each.start()))
        return
      case 'frozen':
        await amidst(() => gateway.freeze())
        return this.#thaw(gateway)
      case 'database stopped':
        await amidst(() => {})
        await this.#server.halt('at once')
        await pause(fault.awayMs)
        return this.#server.start()
      case 'connections cut':
        await amidst(() => {})
        await this.#server.query(
          'postgres',
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`,
        )
        return
      case 'rolling restart':
        for (let turn = 0; turn < GATEWAYS; turn += 1) {
          const next = gateways[(fault.gateway + turn) % GATEWAYS] as GatewayProcess
          expect(await next.terminate(), 'the exit code after SIGTERM').toBe(0)
          await next.start()
        }
    }
  }

  /** Others have taken over from it, so it may say nothing any more, and knows when it wakes. */
  async #thaw(gateway: GatewayProcess): Promise<void> {
    const aside = this.tap.setAside(gateway.pid)
    await this.#untilDelivering(GATEWAYS - 1)
    const submits = aside.count()
    gateway.wake()
    expect(await gateway.ended(), 'the exit code of a gateway that slept for too long').toBe(1)
    expect(submits(), 'submits of a gateway that slept for too long').toBe(0)
    return gateway.start()
  }

  #untilDelivering(gateways: number): Promise<void> {
    return patiently(async () => {
      const [row] = await this.#server.query(DATABASE, 'SELECT count(*)::integer AS count FROM node WHERE delivers = 1')
      return row?.['count'] === gateways ? null : `${row?.['count']} gateways deliver, not ${gateways}`
    })
  }

  #until(happening: Parameters<Tally['await']>[0], times: number): Promise<void> {
    return within(
      `${times} times ${happening}`,
      this.#tally.await(happening, times, () => {}),
    )
  }

  *#drawUntilOver(): Generator<ClientRequest> {
    while (!this.#isOver) yield this.#requests.drawOne()
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      await this.#writers.write(1)
      await pause(THINK_MS)
    }
  }
}

function overTap(carrier: CarrierSetup, port: number, limits: Limits): CarrierSetup {
  return { ...carrier, settings: { ...(carrier.settings as object), port, ...limits } }
}
