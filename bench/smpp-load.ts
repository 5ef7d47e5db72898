/**
 * A client of our SMPP server in a process of its own: a number of connections, each with a window, submit messages and
 * take their receipts. Answers its parent once every message has its receipt.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { systemClock } from '../src/app/system/system-clock.ts'
import { COMMAND_IDS } from '../src/wire/smpp/command.ts'
import { bareAnswer, type ShortMessage } from '../src/wire/smpp/pdu.ts'
import { SmppSession } from '../src/wire/smpp/session.ts'
import { PREFIX } from './phones.ts'

export interface SmppLoad {
  readonly port: number
  readonly systemId: string
  readonly password: string
  readonly connections: number
  readonly window: number
  readonly messages: number
}

export interface SmppMeasured {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** From the first submit_sm to the last receipt. */
  readonly seconds: number
  readonly failures: number
}

const RANGE = { ton: 0, npi: 0, digits: '' }
const VERSION = 0x34

async function bind({ port, systemId, password, window }: SmppLoad, onReceipt: () => void): Promise<SmppSession> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const session: SmppSession = new SmppSession(
    socket,
    {
      requested: ({ command }, sequence) => {
        session.answer(sequence, bareAnswer(COMMAND_IDS[command], 0))
        if (command === 'deliver_sm') onReceipt()
      },
      closed: () => {},
    },
    { clock: systemClock, window, peerWindow: 1_000, responseTimeoutMs: 60_000, enquireLinkMs: null },
  )
  await new Promise<void>((bound, failed) => {
    const command = 'bind_transceiver'
    session.request(
      { command, systemId, password, systemType: '', interfaceVersion: VERSION, addressRange: RANGE },
      (outcome) =>
        outcome.kind === 'answered' && outcome.answer.status === 0
          ? bound()
          : failed(new Error('the bind was refused')),
    )
  })
  return session
}

function messageTo(number: number): ShortMessage {
  const phone = `${PREFIX}${String(number).padStart(7, '0')}`
  return {
    ...{ command: 'submit_sm', serviceType: '', source: { ton: 5, npi: 0, digits: 'Posthorn' } },
    ...{ destination: { ton: 1, npi: 1, digits: phone }, esmClass: 0, protocolId: 0, priority: 0 },
    ...{ scheduleTime: '', validityPeriod: '', registeredDelivery: 1, replaceIfPresent: 0, dataCoding: 0 },
    ...{ defaultMessageId: 0, payload: Buffer.from(`Your parcel ${number} is here.`, 'latin1'), tlvs: [] },
  }
}

async function run(load: SmppLoad): Promise<SmppMeasured> {
  const { connections, window, messages } = load
  let [sent, receipts, failures] = [0, 0, 0]
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const endIfAll = () => {
    if (receipts + failures >= messages) finish()
  }
  const onReceipt = () => {
    receipts += 1
    endIfAll()
  }
  const sessions = await Promise.all(Array.from({ length: connections }, () => bind(load, onReceipt)))
  const startedAt = performance.timeOrigin + performance.now()
  const submit = (session: SmppSession): void => {
    if (sent === messages) return
    sent += 1
    session.request(messageTo(sent), (outcome) => {
      if (outcome.kind !== 'answered' || outcome.answer.status !== 0) {
        failures += 1
        endIfAll()
      }
      submit(session)
    })
  }
  for (const session of sessions) for (let each = 0; each < window; each += 1) submit(session)
  await finished
  const seconds = (performance.timeOrigin + performance.now() - startedAt) / 1000
  await Promise.all(sessions.map((session) => session.leave()))
  return { startedAt, seconds, failures }
}

process.on('message', (load) => void run(load as SmppLoad).then((measured) => process.send?.(measured)))
process.on('disconnect', () => process.exit(0))
