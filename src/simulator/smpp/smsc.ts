/**
 * A simulated SMS centre: SMPP 3.4 on a loopback port, with phones that follow their scripts. Accepts any number of
 * sessions; all its memory is bounded.
 */
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { listen } from '../../wire/listen.ts'
import type { Outcome } from '../../wire/smpp/outcome.ts'
import type { ShortMessage } from '../../wire/smpp/pdu.ts'
import { type PhoneText, toDeliverSm } from './phone-text.ts'
import { type InjectedFault, SmscDouble, type SmscOptions } from './smsc-double.ts'

export interface Smsc {
  readonly port: number
  /** Sessions that are bound now. */
  bound(): number
  /** Receipts without a successful answer yet. */
  pending(): number
  /** Shows this fault from now on. */
  inject(fault: InjectedFault): void
  /** Sends a deliver_sm of a phone to a client that can receive; resolves with its answer. */
  deliver(message: ShortMessage): Promise<Outcome>
  /** A phone writes to one of the client's numbers; resolves with the client's answer. */
  write(text: PhoneText): Promise<Outcome>
  /** Breaks every connection, as a failing network would. */
  cut(): void
  /** Breaks every connection and closes the port; keeps taken messages and scheduled receipts. */
  goDown(): Promise<void>
  /** Opens the same port again. */
  comeBack(): Promise<void>
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Rejects if the port is taken. */
export async function startSmsc(options: SmscOptions): Promise<Smsc> {
  const double = new SmscDouble(options)
  const accept = (socket: Socket) => double.accept(socket)
  const server =
    options.tls === undefined
      ? net.createServer({ noDelay: true }, accept)
      : tls.createServer({ noDelay: true, ...options.tls }, accept)
  const port = await listen(server, options.port ?? 0, LOOPBACK)
  const close = (end: () => void) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      end()
    })
  return {
    port,
    bound: () => double.bound,
    pending: () => double.pending,
    inject: (fault) => double.inject(fault),
    deliver: (message) => double.deliver(message),
    write: (text) => double.deliver(toDeliverSm(text)),
    cut: () => double.cut(),
    goDown: () => close(() => double.cut()),
    comeBack: async () => void (await listen(server, port, LOOPBACK)),
    stop: () => close(() => double.stop()),
  }
}
