/**
 * Distinguishes repeats from messages that say the same: SMPP gives inbound messages no id. Equal messages with
 * different sequence numbers on one session are different messages, because a carrier that may still get an answer does
 * not repeat. Each takes a key of its own, and frees it once the carrier has read the answer. A repeat on another
 * session, of this node or another, meets the keys that are not free.
 */
import type { SmppSession } from '../../wire/smpp/session.ts'

/** A carrier may give up on a slower answer, and repeat the message although it reads the answer. */
export const PROMPT_MS = 2_000
/** More unanswered equal messages than a sender writes: further ones are recorded without a search for repeats. */
const MAX_COPIES = 50

interface Copy {
  readonly place: number
  readonly sequence: number
  readonly at: number
  isAnswered: boolean
}

/** A message that is taken now. */
interface Taken {
  readonly session: SmppSession
  readonly sequence: number
  /** Milliseconds. */
  readonly at: number
}

export class InboundCopies {
  readonly #bySession = new WeakMap<SmppSession, Map<string, Copy[]>>()

  /** Returns the key of a message for the hash of its content. */
  take(hash: string, { session, sequence, at }: Taken): string {
    const known = this.#bySession.get(session) ?? new Map<string, Copy[]>()
    this.#bySession.set(session, known)
    const copies = known.get(hash) ?? []
    const same = copies.find((copy) => copy.sequence === sequence || (!copy.isAnswered && at - copy.at > PROMPT_MS))
    if (same !== undefined) return keyOf(hash, same.place)
    if (copies.length === MAX_COPIES) return `${hash}#${sequence} ${at}`
    let place = 0
    while (copies.some((copy) => copy.place === place)) place += 1
    known.set(hash, [...copies, { place, sequence, at, isAnswered: false }])
    return keyOf(hash, place)
  }

  /** The answer was written. */
  answered(key: string, session: SmppSession): void {
    const [hash, place] = partsOf(key)
    const copy = this.#bySession
      .get(session)
      ?.get(hash)
      ?.find((each) => each.place === place)
    if (copy !== undefined) copy.isAnswered = true
  }

  /** The key is free for the next equal message on this session. */
  free(key: string, session: SmppSession): void {
    const [hash, place] = partsOf(key)
    const known = this.#bySession.get(session)
    const rest = known?.get(hash)?.filter((copy) => copy.place !== place) ?? []
    if (rest.length === 0) known?.delete(hash)
    else known?.set(hash, rest)
  }
}

function keyOf(hash: string, place: number): string {
  return place === 0 ? hash : `${hash}#${place}`
}

function partsOf(key: string): readonly [hash: string, place: number] {
  const [hash = '', place = '0'] = key.split('#')
  return [hash, Number(place)]
}
