/** The part of the npm package `smpp` that the tests use: an independent SMPP implementation. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server as NetServer } from 'node:net'

  interface PduFields {
    [field: string]: unknown
  }

  export class PDU {
    constructor(bytes: Buffer)
    constructor(command: string, fields?: PduFields)
    readonly command: string
    readonly command_status: number
    readonly sequence_number: number;
    [field: string]: unknown
    response(fields?: PduFields): PDU
    toBuffer(): Buffer
  }

  export interface Session extends EventEmitter {
    send(pdu: PDU): boolean
    deliver_sm(fields: PduFields, answered: (answer: PDU) => void): boolean
    bind_transceiver(fields: PduFields, answered: (answer: PDU) => void): boolean
    submit_sm(fields: PduFields, answered: (answer: PDU) => void): boolean
    unbind(answered: (answer: PDU) => void): boolean
    close(): void
  }

  const smpp: {
    PDU: typeof PDU
    connect(options: { readonly host: string; readonly port: number }, connected: () => void): Session
    createServer(listener: (session: Session) => void): NetServer
  }
  export default smpp
}
