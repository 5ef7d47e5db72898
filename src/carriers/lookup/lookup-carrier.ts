/** A carrier that sends nothing, but asks an HTTP service about phone numbers, as its settings define. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Carrier, CarrierState, LookupVerdict, Submission } from '../../ports/carriers/carrier.ts'
import { writeRequest } from '../http/submit.ts'
import { NO_VALUES } from '../http/template.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { readLookupAnswer } from './read-answer.ts'
import { type LookupSettings, readLookupSettings } from './settings.ts'

const REF_BYTES = 16

/** @throws Error that names the invalid setting. */
export function createLookupCarrier(setup: { id: string; settings: unknown }, tools: CarrierTools): Carrier {
  return new LookupCarrier(setup.id, readLookupSettings(setup.settings), tools)
}

class LookupCarrier implements Carrier {
  readonly id: string
  readonly channel = 'lookup'
  readonly window: number
  readonly #settings: LookupSettings
  readonly #tools: CarrierTools
  readonly #link: HttpLink

  constructor(id: string, settings: LookupSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#tools = tools
    const { origin } = settings.request
    this.#link = new HttpLink({ carrierId: id, settings, probe: () => this.#link.ping(origin) }, tools)
  }

  start(): void {
    this.#link.start()
  }

  async submit({ parts }: Submission): Promise<readonly Verdict[]> {
    return parts.map(() => ({ kind: 'refused', status: 'REJECTED', reason: 'a lookup service carries no messages' }))
  }

  async lookUp(phone: Phone): Promise<LookupVerdict> {
    let verdict: LookupVerdict | null = null
    const outcome = await this.#link.submit(async () => {
      verdict = await this.#ask(phone)
      return verdict.kind === 'answered' ? { kind: 'taken', ref: '' } : verdict
    })
    return verdict ?? { kind: 'unreachable', reason: 'reason' in outcome ? outcome.reason : 'failed' }
  }

  state(): CarrierState {
    return this.#link.state()
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  stop(): Promise<void> {
    return this.#link.stop()
  }

  async #ask(phone: Phone): Promise<LookupVerdict> {
    const ref = Buffer.from(this.#tools.random.bytes(REF_BYTES)).toString('hex')
    const values = { ...NO_VALUES, phone, '+phone': `+${phone}`, ref }
    const request = writeRequest(this.#settings.request, values, this.#tools.clock.now())
    if (request === null) return { kind: 'unclear', reason: 'its address cannot be written', aboutMessage: true }
    return readLookupAnswer(await this.#link.send(request), this.#settings)
  }
}
