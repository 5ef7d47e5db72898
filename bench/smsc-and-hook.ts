/**
 * The far ends of a benchmark in one process: an SMSC over the real protocol, whose phones deliver at once or never
 * answer, and a hook that counts the reports that it receives. Notifies its
 * parent once the requested number has arrived.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../src/app/system-clock.ts'
import { systemRandom } from '../src/app/system-random.ts'
import type { MessageScript } from '../src/simulator/phones.ts'
import { startSmsc } from '../src/simulator/smsc.ts'
import { Traffic } from '../src/simulator/traffic.ts'

const [mode = 'delivers'] = process.argv.slice(2)
const script: MessageScript = {
  reachable: true,
  firstAnswer: mode === 'silent' ? 'silent' : 'taken',
  receiptsFirst: false,
  receipts: [{ outcome: 'delivered', afterMs: 0 }],
  deliveredAfterLifetimeMs: null,
}
const smsc = await startSmsc({
  clock: systemClock,
  random: systemRandom,
  traffic: new Traffic(1_000),
  systemId: 'bench',
  password: 'bench',
  script: () => script,
})

let received = 0
let awaited = Number.POSITIVE_INFINITY
const hook = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(204).end()
    received += 1
    if (received === awaited) process.send?.({ received })
  })
})
hook.listen(0, '127.0.0.1', () => {
  process.send?.({ smscPort: smsc.port, hookPort: (hook.address() as AddressInfo).port })
})
process.on('message', (count: number) => {
  awaited = received + count
})
process.on('disconnect', () => process.exit(0))
