/** A submission to a carrier and its answer, for metrics. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Carrier } from './carrier.ts'

export interface Attempted {
  /** Before the answer. */
  readonly message: Message
  readonly carrier: Pick<Carrier, 'id' | 'channel'>
  /** Milliseconds since 1970. */
  readonly submittedAt: number
  /** The gravest of its parts. */
  readonly verdict: Verdict['kind']
  /** Milliseconds. */
  readonly tookMs: number
}
