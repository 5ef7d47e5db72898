/** One hot short link, whose clicks are counted, beside a bare redirect. */
import { deliver, systemOf } from './deliveries.ts'
import { type Figure, perSecond, ratios } from './figure.ts'
import { requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import { PREFIX } from './phones.ts'
import type { Asked } from './smsc-and-hook.ts'
import type { Stage } from './stage.ts'

const CONNECTIONS = 128
/** Of a browser: the clicks of robots are counted apart. */
const AGENT = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export async function shortLink(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, messages } = stage.scale
  const [bare, gateway] = [await stage.bare(), await stage.gateway('sqlite')]
  const head = `GET ${await makeLink(stage)} HTTP/1.1\r\nHost: bench\r\n${AGENT}\r\n`
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const requests = messages * 2
    const plain = await bare.measure(stage.load, { requests, connections: CONNECTIONS, head })
    const load = { port: gateway.port, connections: CONNECTIONS, requests, head, body: '' } satisfies Load
    const { failures, seconds } = await stage.load.ask<Measured>(load)
    if (failures > 0) throw new Error(`${failures} redirects failed`)
    if (round === 0) continue
    ours.push(requests / seconds)
    theirs.push(plain.perSecond)
  }
  return [
    {
      ...{ benchmark: 'one hot short link', comparedWith: 'bare node:http redirect' },
      ...{ rounds: ratios(ours, theirs), must: 0.7, aim: 0.9, detail: `${perSecond(ours)}; ${perSecond(theirs)}` },
    },
  ]
}

/** Sends a message with a link and returns the path of the short one. */
async function makeLink(stage: Stage): Promise<string> {
  const gateway = await stage.gateway('sqlite')
  const system = { ...systemOf(gateway), requests: () => requestsOf('link', gateway.hookPort) }
  const { answers } = await deliver(stage.load, system, { messages: 1, connections: 1, isTimed: true })
  const asked: Asked = { what: 'text', phone: `${PREFIX}${Object.keys(answers.sentAt)[0]}` }
  const text = await gateway.ends.ask<string>(asked)
  const path = /\/l\/\w+/.exec(text)?.[0]
  if (path === undefined) throw new Error(`no short link in the message: ${text}`)
  return path
}
