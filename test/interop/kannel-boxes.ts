/** Kannel's two processes as an SMPP client, with a sink for its delivery reports. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { type KannelPlace, writeKannelConfig } from './kannel-config.ts'

const BEARERBOX = findProgram('bearerbox', 'kannel')
const SMSBOX = findProgram('smsbox', 'kannel')
export const HAS_KANNEL = BEARERBOX !== null && SMSBOX !== null

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export class KannelBoxes {
  /** The states that Kannel reported, by phone. */
  readonly states = new Map<string, string[]>()
  readonly #boxes = [new DebianProgram(), new DebianProgram()] as const
  #sendPort = 0
  readonly #sink = createHttpServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://sink').searchParams
    const phone = query.get('phone') ?? ''
    this.states.set(phone, [...(this.states.get(phone) ?? []), query.get('state') ?? ''])
    response.end()
  })

  /** Of the smsbox, for sendsms. */
  get address(): string {
    return `http://127.0.0.1:${this.#sendPort}`
  }

  async start(smsc: Pick<KannelPlace, 'smscPort' | 'systemId' | 'password' | 'inboundUrl'>): Promise<void> {
    this.#sink.listen(0, '127.0.0.1')
    await once(this.#sink, 'listening')
    const [adminPort, boxPort] = [await freePort(), await freePort()]
    this.#sendPort = await freePort()
    const config = writeKannelConfig({ adminPort, boxPort, sendPort: this.#sendPort, ...smsc })
    const [bearerbox, smsbox] = this.#boxes
    for (const { folder } of this.#boxes) writeFileSync(join(folder, 'kannel.conf'), config)
    bearerbox.start(BEARERBOX ?? '', ['-v', '4', 'kannel.conf'])
    await bearerbox.listens('tcp', boxPort)
    smsbox.start(SMSBOX ?? '', ['-v', '4', 'kannel.conf'])
    await smsbox.listens('tcp', this.#sendPort)
  }

  /**
   * Returns Kannel's answer. Asks a second time when smsbox closes the connection without one, as browsers do
   * (RFC 9110, 9.2.2); a text that was sent twice fails its test.
   */
  async send(phone: string, text: string, parameters: Readonly<Record<string, string>> = {}): Promise<string> {
    const { port } = this.#sink.address() as AddressInfo
    const query = new URLSearchParams({
      ...{ username: 'user', password: 'user', from: 'Kannel', to: phone, text, charset: 'UTF-8' },
      ...{ 'dlr-mask': '31', 'dlr-url': `http://127.0.0.1:${port}/?phone=${phone}&state=%d` },
      ...parameters,
    })
    const url = `${this.address}/cgi-bin/sendsms?${query}`
    const answer = await fetch(url)
      .catch(() => fetch(url))
      .catch((error: Error) => {
        throw new Error(`${error.message}; Kannel said: ${this.#boxes.map(({ said }) => said).join('\n')}`)
      })
    return answer.text()
  }

  async stop(): Promise<void> {
    for (const box of this.#boxes) await box.stop()
    this.#sink.close()
  }
}
