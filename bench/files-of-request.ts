/**
 * Which files of `src` one SMS passes from the socket to the answer, which is sent after the commit: those of which V8
 * counted a call in the main thread, or in the threads of the store and the disk, once everything that happens only the
 * first time has happened. Files that run in some of the requests only (timers, the next block of ids) do not count.
 *
 *     node bench/files-of-request.ts
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Child } from './child.ts'
import type { FilesQuestion } from './executed-files.ts'
import { requestsOf, startGateway } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'

const WARMING = 200
const REQUESTS = 8
/** The gateway has done by then what follows the answer. */
const SETTLING_MS = 300

const load = new Child('./http-load.ts')
const gateway = await startGateway('sqlite', {
  ...{ smsc: 'silent', isQuiet: true },
  execArgv: ['--import', new URL('./executed-files.ts', import.meta.url).href],
})
const { port, keys, child } = gateway

async function send(requests: number): Promise<void> {
  const sms = { port, keys, requests, connections: 1, ...requestsOf('sms', null) } satisfies Load
  const { failures } = await load.ask<Measured>(sms)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  await pause(SETTLING_MS)
}

await send(WARMING)
let files: ReadonlySet<string> | null = null
let threads = 0
for (let request = 0; request < REQUESTS; request += 1) {
  threads = await child.ask<number>('begin to count files' satisfies FilesQuestion)
  await send(1)
  const executed = new Set(await child.ask<readonly string[]>('end to count files' satisfies FilesQuestion))
  files = files === null ? executed : files.intersection(executed)
}
await gateway.end()
await load.end()

const found = [...(files ?? [])].sort()
const rooms = Map.groupBy(found, (path) => path.split('/')[1] ?? '')
for (const [room, paths] of rooms) {
  console.log(`\n${room}: ${paths.length}`)
  for (const path of paths) console.log(`  ${path}`)
}
console.log(`\n${found.length} files of src from the socket to the answer of one SMS, in ${threads} threads`)
