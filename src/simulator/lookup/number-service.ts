/** The simulated lookup service: answers over HTTP what is known about a simulated phone. */

import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Random } from '../../ports/system/random.ts'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../server/http-double.ts'
import { simulatedFacts } from './lookup.ts'

const TOKEN_BYTES = 8

export class NumberService {
  readonly #double: HttpDouble
  readonly #token: string
  /** The numbers asked about, in order, the last 1,000. */
  readonly asked: string[] = []

  private constructor(double: HttpDouble, token: string) {
    this.#double = double
    this.#token = token
  }

  static async start(random: Random): Promise<NumberService> {
    const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('hex')
    const double: HttpDouble = await HttpDouble.listen((request) => service.#answer(request))
    const service = new NumberService(double, token)
    return service
  }

  /** The carrier that asks this service. */
  carrier(id: string): CarrierSetup {
    const settings = {
      request: {
        method: 'GET',
        address: `${this.#double.address}/v1/numbers/{{phone}}`,
        auth: { kind: 'bearer', token: this.#token },
      },
      answer: {
        mccmnc: { path: 'network.mccmnc' },
        network: { path: 'network.name' },
        ported: { path: 'ported' },
        imsi: { path: 'imsi' },
        status: { path: 'state', meanings: { active: 'reachable', detached: 'absent' } },
        error: { path: 'error', meanings: { unknown_number: 'invalid' } },
      },
      requestTimeoutMs: 10_000,
    }
    return { id, channel: 'lookup', kind: 'lookup', settings }
  }

  stop(): Promise<void> {
    return this.#double.goDown()
  }

  #answer({ method, path, headers }: DoubleRequest): DoubleAnswer | 'hold' {
    if (method === 'HEAD') return { status: 200, body: '' }
    if (headers.authorization !== `Bearer ${this.#token}`) return { status: 401, body: '{"error":"unauthorized"}' }
    const phone = /^\/v1\/numbers\/(\d+)$/.exec(path)?.[1]
    if (phone === undefined) return { status: 404, body: '{}' }
    this.asked.push(phone)
    if (this.asked.length > 1_000) this.asked.shift()
    const facts = simulatedFacts(phone as Phone)
    if (facts === null) return 'hold'
    if (facts.status === 'invalid') return { status: 404, body: '{"error":"unknown_number"}' }
    const answer = {
      network: { mccmnc: facts.operator, name: facts.operatorName },
      ported: facts.ported,
      imsi: facts.imsi,
      state: facts.status === 'absent' ? 'detached' : 'active',
    }
    return { status: 200, body: JSON.stringify(answer) }
  }
}
