/**
 * How many submit_sm a second one session gets answered: ours beside the npm package `smpp`, with the same window, by
 * the same SMSC double in a process of its own, in turns.
 *
 *     node bench/smpp.ts [messages] [rounds] [window]
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import smpp, { type Session as NpmSession, type PDU } from 'smpp'
import { systemClock } from '../src/app/system/system-clock.ts'
import type { ShortMessage } from '../src/wire/smpp/pdu.ts'
import { SmppSession } from '../src/wire/smpp/session.ts'
import { Child, median } from './child.ts'

const [messages = 50_000, rounds = 3, window = 50] = process.argv.slice(2).map(Number)
const ends = new Child('./smsc-and-hook.ts', ['delivers'])
const { smscPort } = await ends.receive<{ smscPort: number }>()
const login = { systemId: 'bench', password: 'bench' }
const TEXT = 'Your parcel is here. Please come and fetch it.'

const submit: ShortMessage = {
  ...{ command: 'submit_sm', serviceType: '', source: { ton: 5, npi: 0, digits: 'Posthorn' } },
  ...{ destination: { ton: 1, npi: 1, digits: '491701234567' }, esmClass: 0, protocolId: 0, priority: 0 },
  ...{ scheduleTime: '', validityPeriod: '', registeredDelivery: 0, replaceIfPresent: 0, dataCoding: 0 },
  ...{ defaultMessageId: 0, payload: Buffer.from(TEXT, 'latin1'), tlvs: [] },
}

/** Keeps `window` requests under way until all are answered; messages a second. */
function measure(send: (answered: (taken: boolean) => void) => void): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    const next = (): void => {
      sent += 1
      send((taken) => {
        if (!taken) reject(new Error('a submit_sm was not taken'))
        answered += 1
        if (sent < messages) next()
        else if (answered === messages) resolve((messages * 1_000) / (performance.now() - startedAt))
      })
    }
    for (let each = 0; each < window; each += 1) next()
  })
}

async function measureOurs(): Promise<number> {
  const socket = connect({ port: smscPort, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const owner = { requested: () => {}, closed: () => {} }
  const limits = { window, peerWindow: 1_000, responseTimeoutMs: 30_000, enquireLinkMs: null }
  const session = new SmppSession(socket, owner, { clock: systemClock, ...limits })
  await new Promise<void>((bound) => {
    const range = { ton: 0, npi: 0, digits: '' }
    const bind = { command: 'bind_transceiver', ...login, systemType: '', interfaceVersion: 0x34, addressRange: range }
    session.request({ ...bind, command: 'bind_transceiver' }, () => bound())
  })
  const rate = await measure((answered) =>
    session.request(submit, (outcome) => {
      const status = outcome.kind === 'answered' && 'status' in outcome.answer ? outcome.answer.status : null
      answered(status === 0)
    }),
  )
  await session.leave()
  return rate
}

async function measureNpm(): Promise<number> {
  const session = await new Promise<NpmSession>((resolve) => {
    const opened = smpp.connect({ host: '127.0.0.1', port: smscPort }, () => resolve(opened))
  })
  const fields = { system_id: login.systemId, password: login.password }
  await new Promise<PDU>((bound) => session.bind_transceiver(fields, bound))
  const message = {
    ...{ source_addr_ton: 5, source_addr: 'Posthorn', dest_addr_ton: 1, dest_addr_npi: 1 },
    ...{ destination_addr: '491701234567', registered_delivery: 0, data_coding: 0, short_message: TEXT },
  }
  const rate = await measure((answered) => {
    session.submit_sm(message, ({ command_status }) => answered(command_status === 0))
  })
  session.close()
  return rate
}

const ratios: number[] = []
for (let round = 0; round <= rounds; round += 1) {
  const [ours, npm] = [await measureOurs(), await measureNpm()]
  if (round === 0) continue
  ratios.push(ours / npm)
  console.log(
    `round ${round}: ${ours.toFixed(0)} submit_sm/s by our session, ${npm.toFixed(0)}/s by npm smpp: ${(ours / npm).toFixed(2)}`,
  )
}
console.log(`smpp: ${median(ratios).toFixed(2)} of npm smpp (median of ${rounds} rounds, window ${window})`)
await ends.end()
