/**
 * An SMS centre in a box: SMPP 3.4 on a loopback port, with phones that do what their scripts say. It takes any number of
 * sessions and remembers no more than a bounded amount of anything.
 */
import net, { type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import type { ShortMessage } from '../wire/smpp/pdu.ts'
import type { Outcome } from '../wire/smpp/session.ts'
import { type PhoneText, toDeliverSm } from './phone-text.ts'
import { type Misconduct, SmscDouble, type SmscOptions } from './smsc-double.ts'

export interface Smsc {
  readonly port: number
  /** Sessions that are bound now. */
  bound(): number
  /** Receipts that no client has answered yet. */
  owed(): number
  /** Fails from now on in this way. */
  misbehave(misconduct: Misconduct): void
  /** Sends what a phone wrote, a deliver_sm, to a client that can receive; resolves with its answer. */
  deliver(message: ShortMessage): Promise<Outcome>
  /** A phone writes to one of the client's numbers; resolves with the client's answer. */
  write(text: PhoneText): Promise<Outcome>
  /** Breaks every connection off, as a failing network would. */
  cut(): void
  /** Breaks every connection off and closes the port; what it took and owes it keeps. */
  goDown(): Promise<void>
  /** Opens the same port again. */
  comeBack(): Promise<void>
  stop(): Promise<void>
}

/** Rejects when the port is taken. */
export async function startSmsc(options: SmscOptions): Promise<Smsc> {
  const double = new SmscDouble(options)
  const accept = (socket: Socket) => double.accept(socket)
  const server =
    options.tls === undefined
      ? net.createServer({ noDelay: true }, accept)
      : tls.createServer({ noDelay: true, ...options.tls }, accept)
  const port = await listen(server, options.port ?? 0)
  const close = (end: () => void) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      end()
    })
  return {
    port,
    bound: () => double.bound,
    owed: () => double.owed,
    misbehave: (misconduct) => double.misbehave(misconduct),
    deliver: (message) => double.deliver(message),
    write: (text) => double.deliver(toDeliverSm(text)),
    cut: () => double.cut(),
    goDown: () => close(() => double.cut()),
    comeBack: async () => void (await listen(server, port)),
    stop: () => close(() => double.stop()),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
