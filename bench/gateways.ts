/**
 * The gateways that a benchmark compares in one run: on SQLite, and with `--postgres` another on a PostgreSQL server of
 * its own.
 */
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts'
import { Child } from './child.ts'
import type { GatewayNews, GatewaySetup } from './gateway-under-load.ts'
import type { Load } from './http-load.ts'
import { PREFIX, TRICKLE_PREFIX } from './phones.ts'
import type { FarEnds } from './smsc-and-hook.ts'

export interface GatewayUnderLoad extends GatewayNews {
  readonly name: 'sqlite' | 'postgres'
  readonly setup: GatewaySetup
  readonly child: Child
  /** Its SMSC and its hook: receipts go to any client that is bound, so each gateway has its own. */
  readonly ends: Child
  readonly hookPort: number
  /** Of a hook that never answers. */
  readonly deadHookPort: number
  /** Null on SQLite. */
  readonly server: PostgresServer | null
  /** Of the gateway, and of its database server. */
  readonly pids: readonly number[]
  end(): Promise<void>
}

export interface GatewayOptions
  extends Pick<GatewaySetup, 'accounts' | 'folder' | 'reportsPerPost' | 'isQuiet' | 'throughput' | 'smpp'> {
  /** What the SMSC does: takes messages and is silent, or delivers them. `delivers` if absent. */
  readonly smsc?: 'silent' | 'delivers'
  /** Of Node, for the gateway's process. */
  readonly execArgv?: readonly string[]
  /** The program: that of the checkout if absent. */
  readonly file?: string
}

/** As in deploy/posthorn.service and deploy/Dockerfile. */
export const SERVICE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  NODE_OPTIONS: '--max-semi-space-size=24 --max-old-space-size=800',
} as const

const ON_POSTGRES = process.argv.includes('--postgres')

/** Returns the numbers of the command line. */
export function readNumbers(): readonly number[] {
  return process.argv
    .slice(2)
    .filter((arg) => !arg.startsWith('--'))
    .map(Number)
}

/** Returns the gateways that the command line asks for. */
export async function startGateways(options: GatewayOptions = {}): Promise<readonly GatewayUnderLoad[]> {
  const sqlite = await startGateway('sqlite', options)
  return ON_POSTGRES ? [sqlite, await startGateway('postgres', options)] : [sqlite]
}

export async function startGateway(
  name: GatewayUnderLoad['name'],
  { smsc = 'delivers', execArgv = [], file = './gateway-under-load.ts', ...setup }: GatewayOptions = {},
): Promise<GatewayUnderLoad> {
  const server = name === 'sqlite' ? null : await startServer()
  const ends = new Child('./smsc-and-hook.ts', [smsc])
  const { smscPort, refusingPort, hookPort, deadHookPort } = await ends.receive<FarEnds>()
  const database = server === null ? {} : { database: server.urlOf('bench') }
  const all = { ...setup, ...database, smscPort, refusingPort } satisfies GatewaySetup
  const child = new Child(file, [JSON.stringify(all)], {
    execArgv,
    env: SERVICE_ENVIRONMENT,
  })
  const end = async () => {
    await child.end()
    await ends.end()
    await server?.stop()
  }
  const pids = [child.pid, ...(server === null ? [] : [server.pid])]
  return {
    name,
    setup: all,
    child,
    ends,
    hookPort,
    deadHookPort,
    server,
    pids,
    end,
    ...(await child.receive<GatewayNews>()),
  }
}

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres({
    durable: true,
    settings: [
      // As in deploy/patroni.yml. One second would cost half as much CPU again: of tables that are so young, autovacuum
      // gathers statistics whenever it looks.
      'autovacuum_naptime=15s',
      'shared_preload_libraries=pg_stat_statements',
    ],
  })
  await server.query('postgres', 'CREATE DATABASE bench')
  return server
}

/**
 * Called after warming up: until statistics are gathered, as within a minute elsewhere, joins go through whole buckets.
 */
export async function gatherStatistics({ server }: GatewayUnderLoad): Promise<void> {
  await server?.query('bench', 'VACUUM ANALYZE')
}

/** The kinds of messages that benchmarks send, `#` being the number of the message. */
const ITEMS = {
  sms: `"type":"sms","phone":${PREFIX}#,"sms_signature":"Posthorn","sms_message":"Your parcel # is here."`,
  trickle: `"type":"sms","phone":${TRICKLE_PREFIX}#,"sms_signature":"Posthorn","sms_message":"Your code is #."`,
  code: `"type":"verify/start","phone":${TRICKLE_PREFIX}#,"channels":["sms"],"sms_signature":"Posthorn"`,
  mailing:
    `"type":"sms","phone":${PREFIX}#,"priority":"bulk","sms_signature":"Posthorn",` +
    '"sms_message":"Our spring sale has begun. #"',
  link:
    `"type":"sms","phone":${PREFIX}#,"sms_signature":"Posthorn",` +
    '"sms_message":"Follow your parcel: https://client.example/parcels/#","short_link":true',
  chain:
    `"type":"rcs+chatapp+sms","phone":${PREFIX}#,"sms_signature":"Posthorn","sms_message":"Your parcel # is here.",` +
    '"rcs_signature":"Posthorn","rcs_message":"Your parcel # is here.",' +
    '"chatapp_type":"text","chatapp_signature":"Posthorn","chatapp_message":"Your parcel # is here."',
} as const

/** What a load sends to the gateway: messages of a kind, each with a report to its hook unless `hookPort` is null. */
export function requestsOf(kind: keyof typeof ITEMS, hookPort: number | null): Pick<Load, 'head' | 'body' | 'item'> {
  const hook = hookPort === null ? '' : `,"hook":"http://127.0.0.1:${hookPort}/hook"`
  return {
    head: 'POST /api/json.php HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n',
    body: '{"auth":"*","data":[@]}',
    item: `{"id":#,${ITEMS[kind]}${hook}}`,
  }
}
