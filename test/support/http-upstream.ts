/** A generic HTTP carrier in front of a server that keeps the requests of its submissions. */
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { Carrier, Submission } from '../../src/ports/carriers/carrier.ts'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { settled } from './eventually.ts'
import { gather } from './http-benches.ts'

export const PUBLIC_URL = 'https://sms.example.com'

export class HttpUpstream {
  readonly parts = gather()
  readonly seen: DoubleRequest[] = []
  readonly carrier: Carrier
  readonly #double: HttpDouble
  readonly #submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })

  private constructor(double: HttpDouble, settings: object, handle: { seen: (request: DoubleRequest) => void }) {
    handle.seen = (request) => void this.seen.push(request)
    this.#double = double
    const setup = { id: 'up', channel: 'sms' as const, settings }
    this.carrier = createHttpCarrier(setup, { ...this.parts, publicUrl: PUBLIC_URL })
    this.carrier.start(this.parts.inbox)
  }

  /** @param settings from the address of the server. */
  static async start(
    settings: (address: string) => object,
    answer: (request: DoubleRequest) => DoubleAnswer = () => ({ status: 200, body: '' }),
  ): Promise<HttpUpstream> {
    const handle = { seen: (_: DoubleRequest) => {} }
    const double = await HttpDouble.listen((request) => {
      if (request.method !== 'HEAD') handle.seen(request)
      return answer(request)
    })
    return new HttpUpstream(double, settings(double.address), handle)
  }

  /** Returns the requests that the submission made, as their fields. */
  async send(content: Partial<TextContent>, change: Partial<Submission> = {}) {
    const before = this.seen.length
    const whole: TextContent = { kind: 'text', text: 'Hi', ...content }
    const submission = this.#submissions.make('00', { content: whole, ...change })
    const verdicts = await settled('the verdict', this.carrier.submit(submission), this.parts.clock)
    const requests = this.seen.slice(before)
    return { submission, verdicts, requests, queries: requests.map(({ query }) => Object.fromEntries(query)) }
  }

  async stop(): Promise<void> {
    await settled('the carrier to stop', this.carrier.stop(), this.parts.clock)
    await this.#double.goDown()
  }
}
