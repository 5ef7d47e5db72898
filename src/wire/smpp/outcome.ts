/** What a session reports to its owner: the outcome of its requests, and the requests of the peer. */
import type { Bind, MessageRequest, ResponsePdu } from './pdu.ts'

/** The outcome of a request. */
export type Outcome =
  /** The peer's answer; its status may be an error. */
  | { readonly kind: 'answered'; readonly answer: ResponsePdu }
  /** `sent` false: the peer never got the request. True: the peer may have handled it or not. */
  | { readonly kind: 'failed'; readonly sent: boolean; readonly reason: string }

/** A request of the peer for the owner of the session: a bind, or about messages. */
export type PeerRequest = Bind | MessageRequest
