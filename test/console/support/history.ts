/** Traffic of four businesses over the past hours, so that pages show what they show in use. */
import type { PastClock } from '../../../console/tools/past-clock.ts'
import { eventually } from '../../support/eventually.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import type { ConsoleWorld } from './console-world.ts'

const MINUTE_MS = 60_000
const STEP_MS = 20 * MINUTE_MS
const BROWSER = { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15' }
/** Messages of a step by hour of the day, of all businesses together. */
const BY_HOUR = [4, 3, 2, 2, 3, 6, 12, 22, 34, 42, 44, 40, 36, 38, 42, 40, 36, 38, 44, 40, 30, 20, 12, 7]
/** Mobile prefixes of three countries; those of T-Mobile and Vodafone have the largest shares. */
const PREFIXES = ['4915112', '4917012', '4917012', '49172', '49172', '49174', '4917612', '4915901', '4366412', '417941']
/** Last two digits, which decide what the simulated phone does: most get the message by the first channel. */
const ENDINGS = [
  ...Array.from({ length: 34 }, (_, index) => String(20 + index)),
  ...['01', '01', '01', '02', '02', '02', '03', '03', '06', '06', '06', '09', '10'],
]

const sms = (sender: string, text: string) => ({ type: 'sms', sms_signature: sender, sms_message: text })
const chain = (sender: string, text: string) => ({
  type: 'rcs+chatapp+sms',
  ...{ rcs_signature: sender, rcs_message: text, rcs_lifetime: 2, chatapp_type: 'text', chatapp_lifetime: 2 },
  ...{ chatapp_signature: sender, chatapp_message: text, sms_signature: sender, sms_message: text },
})
const CHANNELS = ['rcs', 'chatapp', 'sms'] as const

/** What each sends; `share` in percent of all messages. */
const BUSINESSES = [
  {
    name: 'Paketdienst Nord',
    sender: 'Paket',
    share: 45,
    write: chain,
    text: 'Your parcel arrives today between 2 and 4 pm.',
  },
  { name: 'City Clinic', sender: 'Clinic', share: 20, write: sms, text: 'Your appointment is tomorrow at 10:30.' },
  {
    name: 'Alpine Outdoor AG',
    sender: 'Alpine',
    share: 20,
    write: chain,
    text: 'Sale: https://shop.example/summer?c=1',
  },
  { name: 'Harbour Bank plc', sender: 'HarbourBank', share: 15, write: sms, text: 'Transfer of 250.00 EUR confirmed.' },
] as const

export class History {
  readonly #world: ConsoleWorld
  readonly #clock: PastClock
  readonly #random = new SeededRandom()
  readonly #keys = new Map<string, string>()
  #number = 1_000

  constructor(world: ConsoleWorld, clock: PastClock) {
    this.#world = world
    this.#clock = clock
  }

  /** Creates the accounts and sends until the clock shows the present. */
  async write(): Promise<void> {
    await eventually('the carriers to be up', async () => {
      const { body } = await this.#world.askAdmin('GET', '/carriers')
      return (body['data'] as readonly { readonly state: { readonly up: boolean } }[]).every(({ state }) => state.up)
    })
    for (const carrier of ['sandbox-rcs', 'sandbox-chat', 'sandbox-sms'])
      for (const prefix of ['49', '43', '41'])
        await this.#ask('PUT', '/costs', {
          carrier,
          prefix,
          price: carrier === 'sandbox-sms' ? 0.032 : 0.018,
          currency: 'EUR',
        })
    for (const business of BUSINESSES) await this.#open(business)
    while (!this.#clock.isPresent) {
      await this.send()
      this.#clock.leap(STEP_MS)
    }
    await this.send()
  }

  /** Sends what all businesses send in twenty minutes, and waits for the reports. */
  async send(): Promise<void> {
    const hour = new Date(this.#clock.now()).getHours()
    const total = Math.round((BY_HOUR[hour] ?? 0) * (0.8 + this.#random.below(40) / 100))
    const ids: string[] = []
    for (const { name, sender, share, write, text } of BUSINESSES) {
      const items = Array.from({ length: Math.ceil((total * share) / 100) }, () => {
        this.#number += 1
        ids.push(`${sender}-${this.#number}`)
        return {
          id: `${sender}-${this.#number}`,
          phone: this.#phone(),
          short_link: text.includes('https:'),
          ...write(sender, text),
        }
      })
      const sent = await this.#world.sendAs(this.#keys.get(name) ?? '', ...items)
      if (text.includes('https:')) await this.#click(sent.slice(0, Math.ceil(sent.length / 3)))
    }
    await eventually('the reports', () => {
      const bodies = this.#world.sink.calls
        .slice(-4 * ids.length)
        .map(({ body }) => body)
        .join('')
      return ids.every((id) => bodies.includes(`"${id}"`))
    })
  }

  async #open({ name, sender }: (typeof BUSINESSES)[number]): Promise<void> {
    const { account: id } = await this.#ask('POST', '/accounts', { name })
    await this.#ask('POST', `/accounts/${id}/top-ups`, { amount: 2_500, note: 'Bank transfer' })
    for (const channel of CHANNELS) await this.#ask('POST', '/senders/approve', { account: id, channel, name: sender })
    const { key } = await this.#ask('POST', `/accounts/${id}/keys`, { name: 'shop' })
    this.#keys.set(name, String(key))
  }

  async #ask(method: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#world.askAdmin(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  #phone(): number {
    const any = <T>(of: readonly T[]) => of[this.#random.below(of.length)]
    const middle = String(this.#random.below(1_000)).padStart(3, '0')
    const start = `${any(PREFIXES)}${middle}`
    return Number(`${start.padEnd({ 49: 11, 43: 10, 41: 9 }[start.slice(0, 2)] ?? 0, '0')}${any(ENDINGS)}`)
  }

  /** Recipients open the link of their message. */
  async #click(messages: readonly number[]): Promise<void> {
    for (const message of messages) {
      const { body } = await this.#world.askAdmin('GET', `/messages/${message}/details`)
      const [link] = body['links'] as readonly { readonly code: string }[]
      await fetch(`${this.#world.sandbox.address}/l/${link?.code}`, { headers: BROWSER, redirect: 'manual' })
    }
  }
}
