/**
 * Kannel, the gateway that ours is compared with, from Debian's package: bearerbox and smsbox in their best
 * configuration, bound to the same SMSC double, with the same hook for its delivery reports (one callback for each
 * message, when it is delivered). Where the package is not installed, a line says that it is left out.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DebianProgram, findProgram } from '../test/support/debian-program.ts'
import { freePort } from '../test/support/postgres-server.ts'
import { Child } from './child.ts'
import type { System } from './deliveries.ts'
import { PREFIX } from './phones.ts'
import type { FarEnds } from './smsc-and-hook.ts'

/** `none` keeps messages in memory alone; `spool` writes each to a file of its own, without fsync. */
export type KannelStore = 'none' | 'spool'

export interface Kannel extends System {
  end(): Promise<void>
}

/** Warnings and errors alone: its default halves its speed. */
const LOG_LEVEL = '3'
const LIFE_MS = 3_600_000

export async function startKannels(stores: readonly KannelStore[] = ['none', 'spool']): Promise<readonly Kannel[]> {
  const [bearerbox, smsbox] = [findProgram('bearerbox', 'kannel'), findProgram('smsbox', 'kannel')]
  if (bearerbox === null || smsbox === null) {
    console.log('Kannel is not installed (Debian: kannel): the comparison with it is skipped')
    return []
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const started: Kannel[] = []
  for (const store of stores) started.push(await startKannel(bearerbox, smsbox, store))
  return started
}

async function startKannel(bearerbox: string, smsbox: string, store: KannelStore): Promise<Kannel> {
  const ends = new Child('./smsc-and-hook.ts', ['delivers'])
  const { smscPort, hookPort } = await ends.receive<FarEnds>()
  const boxes = [new DebianProgram(LIFE_MS), new DebianProgram(LIFE_MS)] as const
  const [adminPort, boxPort, port] = [await freePort(), await freePort(), await freePort()]
  const spool = join(boxes[0].folder, 'spool')
  for (const folder of [spool, `${spool}-dlr`]) mkdirSync(folder)
  const config = writeConfig({ smscPort, adminPort, boxPort, port, spool: store === 'spool' ? spool : null })
  for (const { folder } of boxes) writeFileSync(join(folder, 'kannel.conf'), config)
  boxes[0].start(bearerbox, ['-v', LOG_LEVEL, 'kannel.conf'])
  await boxes[0].listens('tcp', boxPort)
  boxes[1].start(smsbox, ['-v', LOG_LEVEL, 'kannel.conf'])
  await boxes[1].listens('tcp', port)
  const requests: System['requests'] = (_, isReported) => ({ head: writeHead(isReported ? hookPort : null), body: '' })
  const name = store === 'none' ? 'Kannel, nothing stored' : 'Kannel, spool store'
  const pids = boxes.map(({ pid }) => pid)
  // They would outlive a benchmark that is interrupted.
  const kill = () => {
    for (const box of boxes) box.kill()
  }
  process.once('exit', kill)
  const end = async () => {
    process.off('exit', kill)
    for (const box of [...boxes].reverse()) await box.stop()
    await ends.end()
  }
  return { name, port, keys: [], ends, pids, requests, end }
}

interface Place {
  readonly smscPort: number
  readonly adminPort: number
  readonly boxPort: number
  readonly port: number
  readonly spool: string | null
}

/** No throughput is set, so that none limits it. */
function writeConfig({ smscPort, adminPort, boxPort, port, spool }: Place): string {
  return `
group = core
admin-port = ${adminPort}
admin-password = admin
smsbox-port = ${boxPort}
box-allow-ip = 127.0.0.1
smsbox-max-pending = 1000
sms-incoming-queue-limit = -1
sms-outgoing-queue-limit = -1
log-level = ${LOG_LEVEL}
${spool === null ? '' : `store-type = spool\nstore-location = ${spool}\ndlr-storage = spool\ndlr-spool = ${spool}-dlr`}

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smscPort}
smsc-username = bench
smsc-password = bench
system-type = ""
transceiver-mode = true
msg-id-type = 0x00
max-pending-submits = 1000
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${port}
log-level = ${LOG_LEVEL}

group = sendsms-user
username = user
password = user
concatenation = true
max-messages = 10
`
}

/** A GET with everything in it; 1 asks for a callback when the phone has the message, 2 when it has not. */
function writeHead(hookPort: number | null): string {
  const callback =
    hookPort === null ? '' : `&dlr-mask=3&dlr-url=${encodeURIComponent(`http://127.0.0.1:${hookPort}/hook?id=`)}#`
  const query = `username=user&password=user&from=Posthorn&to=${PREFIX}#&text=Your+parcel+#+is+here.${callback}`
  return `GET /cgi-bin/sendsms?${query} HTTP/1.1\r\nHost: bench\r\n`
}
