/**
 * The far ends of a benchmark in one process: an SMSC whose phones take messages and deliver at once or are silent,
 * another whose phones are all unreachable, and a hook on bare sockets. Reports to its parent when as many messages or
 * reports have come as it was asked for.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { systemClock } from '../src/app/system/system-clock.ts'
import { systemRandom } from '../src/app/system/system-random.ts'
import type { MessageScript } from '../src/simulator/phones/phones.ts'
import { PhoneTraffic } from '../src/simulator/phones/traffic.ts'
import { startSmsc } from '../src/simulator/smpp/smsc.ts'
import { TRICKLE_PREFIX } from './phones.ts'

export interface FarEnds {
  readonly smscPort: number
  readonly refusingPort: number
  readonly hookPort: number
  /** A hook that takes connections and never answers. */
  readonly deadHookPort: number
}

/** What its parent waits for: messages at the SMSC or reports at the hook, from now on. */
export interface Awaited {
  readonly what: 'messages' | 'reports'
  readonly count: number
}

/** The last text that a phone got, or the times at which messages came to phones of trickles, since 1970. */
export type Asked = { readonly what: 'text'; readonly phone: string } | { readonly what: 'arrivals' }

const [mode = 'delivers'] = process.argv.slice(2)
const delivers: MessageScript = {
  reachable: true,
  firstAnswer: mode === 'silent' ? 'silent' : 'taken',
  receiptsFirst: false,
  receipts: [{ outcome: 'delivered', afterMs: 0 }],
  deliveredAfterLifetimeMs: null,
}
const traffic = new PhoneTraffic(1_000)
const openSmsc = (script: MessageScript, onMessage: (phone: string) => void) =>
  startSmsc({
    clock: systemClock,
    random: systemRandom,
    traffic,
    systemId: 'bench',
    password: 'bench',
    script: (phone) => {
      onMessage(phone)
      return script
    },
  })

const arrivals: Record<string, number> = {}

function noteMessage(phone: string): void {
  if (phone.startsWith(TRICKLE_PREFIX)) arrivals[phone] = performance.timeOrigin + performance.now()
  count('messages')
}

const received = { messages: 0, reports: 0 }
let awaited: Awaited | null = null

function count(what: Awaited['what'], more = 1): void {
  received[what] += more
  if (awaited?.what !== what || received[what] < awaited.count) return
  awaited = null
  process.send?.({ received })
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

const ITEM = '{"webhook_id":'

/** Reports in the body of a request: the items of an array, or one. */
function countReports(body: string): number {
  if (body[0] !== '[') return 1
  let items = 0
  for (let at = body.indexOf(ITEM); at >= 0; at = body.indexOf(ITEM, at + ITEM.length)) items += 1
  return items
}

/** Reads requests one after the other: a head, then as many bytes as it says. */
const hook = createServer({ noDelay: true }, (socket) => {
  let waiting = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    waiting += chunk.toString('latin1')
    let answers = ''
    for (;;) {
      const head = waiting.indexOf('\r\n\r\n')
      if (head < 0) break
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(waiting.slice(0, head))?.[1] ?? 0)
      if (waiting.length < head + 4 + length) break
      const body = waiting.slice(head + 4, head + 4 + length)
      waiting = waiting.slice(head + 4 + length)
      answers += ANSWER
      count('reports', countReports(body))
    }
    if (answers !== '') socket.write(answers)
  })
})

const [smsc, refusing] = await Promise.all([
  openSmsc(delivers, noteMessage),
  openSmsc({ ...delivers, reachable: false }, () => {}),
])
const deadHook = createServer((socket) => socket.on('error', () => {}).resume())
for (const server of [hook, deadHook]) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
const portOf = (server: typeof hook) => (server.address() as AddressInfo).port
process.send?.({
  smscPort: smsc.port,
  refusingPort: refusing.port,
  hookPort: portOf(hook),
  deadHookPort: portOf(deadHook),
} satisfies FarEnds)

process.on('message', (question: Awaited | Asked) => {
  if (question.what === 'text') process.send?.(traffic.to(question.phone).at(-1)?.text ?? '')
  else if (question.what === 'arrivals') process.send?.(arrivals)
  else awaited = { what: question.what, count: received[question.what] + question.count }
})
process.on('disconnect', () => process.exit(0))
