/** The gateways that a benchmark compares in one run: on SQLite, and with `--postgres` another on a PostgreSQL server of its own. */
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts'
import { Child } from './child.ts'

export interface Gateways {
  readonly all: readonly GatewayUnderLoad[]
  end(): Promise<void>
}

export interface GatewayUnderLoad {
  readonly name: 'sqlite' | 'postgres'
  readonly child: Child
  readonly port: number
  readonly key: string
  /** Its SMSC and its hook: receipts go to any bound connection, so each gateway has its own. */
  readonly ends: Child
  readonly hookPort: number
}

/** What the command line has besides numbers. */
const ON_POSTGRES = process.argv.includes('--postgres')

export function readNumbers(): readonly number[] {
  return process.argv
    .slice(2)
    .filter((word) => !word.startsWith('--'))
    .map(Number)
}

/** `smsc` is what the other end of its carrier does: takes messages and is silent, or delivers them. */
export async function startGateways(smsc: 'silent' | 'delivers'): Promise<Gateways> {
  const sqlite = await start('sqlite', smsc)
  if (!ON_POSTGRES) return { all: [sqlite], end: () => end(sqlite) }
  const server: PostgresServer = await startPostgres({
    durable: true,
    // What takes a minute elsewhere: until statistics are gathered, joins go through whole buckets.
    settings: ['autovacuum_naptime=1s'],
  })
  await server.query('postgres', 'CREATE DATABASE bench')
  const postgres = await start('postgres', smsc, server.urlOf('bench'))
  return {
    all: [sqlite, postgres],
    end: async () => {
      await Promise.all([end(sqlite), end(postgres)])
      await server.stop()
    },
  }
}

async function start(
  name: GatewayUnderLoad['name'],
  smsc: 'silent' | 'delivers',
  ...database: readonly string[]
): Promise<GatewayUnderLoad> {
  const ends = new Child('./smsc-and-hook.ts', [smsc])
  const { smscPort, hookPort } = await ends.receive<{ smscPort: number; hookPort: number }>()
  const child = new Child('./gateway-under-load.ts', [String(smscPort), ...database])
  return { name, child, ends, hookPort, ...(await child.receive<{ port: number; key: string }>()) }
}

async function end({ child, ends }: GatewayUnderLoad): Promise<void> {
  await child.end()
  await ends.end()
}
