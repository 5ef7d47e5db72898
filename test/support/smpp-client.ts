/** An SMPP client of the gateway: a test decides about every PDU, and what it answers to receipts. */
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import {
  type BindAnswer,
  type BindCommand,
  isAnswer,
  type Pdu,
  type Request,
  type ResponsePdu,
  type ShortMessage,
} from '../../src/wire/smpp/pdu.ts'
import { PduDecoder } from '../../src/wire/smpp/pdu-decoder.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { readReceiptText } from '../../src/wire/smpp/receipt-text.ts'
import { findTlv, latin1, TAGS, tlvText } from '../../src/wire/smpp/tlv.ts'
import { LOGIN_PASSWORD } from './build-message.ts'
import { eventually } from './eventually.ts'
import { submit } from './smpp-peers.ts'

interface Received {
  readonly pdu: Pdu
  readonly sequence: number
}

export class SmppClient {
  readonly socket: Socket
  readonly received: Received[] = []
  /** Status of the answer to each deliver_sm; null for none. */
  answersWith: number | null = STATUS.ok
  isClosed = false
  #sequence = 0

  /** `secure`: speaks TLS, with these options. */
  constructor(port: number | null, localAddress = '127.0.0.1', secure: ConnectionOptions | null = null) {
    if (port === null) throw new Error('there is no SMPP server')
    const decoder = new PduDecoder()
    const to = { port, host: '127.0.0.1', localAddress }
    this.socket = secure === null ? connect(to) : connectSecurely({ ...to, ...secure })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
    })
    this.socket.on('data', (chunk: Buffer) =>
      decoder.read(chunk, (decoded) => {
        if (decoded.kind === 'pdu') this.#take(decoded)
      }),
    )
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes)
  }

  send(pdu: Pdu, sequence = this.#next()): number {
    const writer = new PduWriter()
    writer.write(pdu, sequence)
    this.write(writer.take())
    return sequence
  }

  /** Sends all with one write, so that the gateway has the last one before it answers the first. */
  sendTogether(...pdus: readonly Pdu[]): readonly number[] {
    const writer = new PduWriter()
    const sequences = pdus.map((pdu) => {
      const sequence = this.#next()
      writer.write(pdu, sequence)
      return sequence
    })
    this.write(writer.take())
    return sequences
  }

  async ask<A extends ResponsePdu>(pdu: Request): Promise<A> {
    const sequence = this.send(pdu)
    return await this.answerTo(sequence)
  }

  async answerTo<A extends ResponsePdu>(sequence: number): Promise<A> {
    return await eventually(`the answer to request ${sequence}`, () => {
      const answer = this.received.find((each) => each.sequence === sequence && isAnswer(each.pdu))
      return answer?.pdu as A | undefined
    })
  }

  async bind(
    systemId: string,
    command: BindCommand = 'bind_transceiver',
    { password = LOGIN_PASSWORD, interfaceVersion = 0x34 } = {},
  ): Promise<BindAnswer> {
    const addressRange = { ton: 0, npi: 0, digits: '' }
    return this.ask({ command, systemId, password, systemType: '', interfaceVersion, addressRange })
  }

  /** The deliver_sm so far. */
  get delivered(): readonly ShortMessage[] {
    return this.received.flatMap(({ pdu }) => (pdu.command === 'deliver_sm' ? [pdu] : []))
  }

  /** The receipts so far, as `id stat`. */
  get receipts(): readonly string[] {
    return this.delivered.map(({ payload, tlvs }) => {
      const text = readReceiptText(latin1(payload))
      const id = findTlv(tlvs, TAGS.receiptedMessageId)
      return `${id === null ? '-' : tlvText(id)} ${text?.stat}`
    })
  }

  close(): void {
    this.socket.destroy()
  }

  #next(): number {
    this.#sequence += 1
    return this.#sequence
  }

  #take(received: Received): void {
    const { pdu, sequence } = received
    this.received.push(received)
    if (pdu.command === 'deliver_sm' && this.answersWith !== null) {
      this.send({ command: 'deliver_sm_resp', status: this.answersWith, messageId: '', tlvs: [] }, sequence)
    }
    if (pdu.command === 'unbind') this.send({ command: 'unbind_resp', status: STATUS.ok }, sequence)
    if (pdu.command === 'enquire_link') this.send({ command: 'enquire_link_resp', status: STATUS.ok }, sequence)
  }
}

/** A message to a simulated phone, from the sender of the sandbox. */
export function submitTo(phone: string, change: Partial<ShortMessage> = {}): ShortMessage {
  return {
    ...submit,
    source: { ton: 5, npi: 0, digits: 'SMSTest' },
    destination: { ton: 1, npi: 1, digits: phone },
    ...change,
  }
}

/** The text of the error in an answer. */
export function textOf(answer: ResponsePdu): string {
  const text = 'tlvs' in answer ? findTlv(answer.tlvs, TAGS.statusText) : null
  return text === null ? '' : tlvText(text)
}
