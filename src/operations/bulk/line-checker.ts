/** Makes sends of the lines of a bulk: fills the message, then reads, checks and prices it as any other send. */
import { inClientNames, type TranslatedItem } from '../../contract/operations/chatapp-names.ts'
import type { SendSchema } from '../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { JsonToken } from '../../contract/request/read-json.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { Bulk } from '../../domain/bulk/bulk.ts'
import type { BulkLine, LineCause } from '../../domain/bulk/bulk-lines.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import { atNoCost, holdOf } from '../../domain/message/message.ts'
import type { Micros } from '../../domain/money/money.ts'
import { fillPlaceholders } from '../../domain/text/placeholders.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import { escapeUnsubscribe } from '../links/shorten-links.ts'
import type { Scope } from '../request/planned.ts'
import { NO_CHANCE, sendNamed } from '../send/price.ts'
import { type PricedSend, readSend } from '../send/read-send.ts'
import { planSend } from '../send/send.ts'

interface LineSend {
  readonly scope: Scope
  readonly item: RequestObject
  readonly schema: SendSchema
}

export class LineChecker {
  readonly #scope: Scope
  readonly #message: RequestObject

  constructor(scope: Scope, { message }: Pick<Bulk, 'message'>) {
    this.#scope = scope
    this.#message = JSON.parse(message)
  }

  /** Returns the line as it would be sent, or why it cannot be. */
  read(line: BulkLine): PricedSend | LineCause {
    return this.#send(line, ({ scope, item, schema }) => {
      const send = readSend(scope, item, schema, NO_CHANCE)
      return scope.key.test ? { ...send, plan: atNoCost(send.plan) } : send
    })
  }

  /** Returns the most that the line can cost, or why it cannot be sent. */
  price(line: BulkLine): Micros | LineCause {
    const send = this.read(line)
    return 'plan' in send ? holdOf(send.plan) : send
  }

  /** Returns what the store has to do for the line, or why it cannot be sent. */
  plan(line: BulkLine): AcceptItem | LineCause {
    return this.#send(line, ({ scope, item, schema }) => {
      const planned = planSend(scope, item, schema)
      if (planned.item === null) throw new RangeError('a send has nothing to do')
      return planned.item
    })
  }

  #send<Result>({ phone, id, values }: BulkLine, work: (send: LineSend) => Result): Result | LineCause {
    const filled = fillPlaceholders(this.#message, this.#literal(values))
    const named = id === null ? filled : { ...filled, id: new JsonToken(id) }
    const translated = this.#scope.tools.chatappNames.translate({ ...named, phone })
    try {
      return work(this.#openSend(translated))
    } catch (error) {
      if (!(error instanceof ItemRefused)) throw error
      const written = (text: string) => inClientNames(text, translated)
      return { text: written(error.message), field: error.field === null ? null : written(error.field) }
    }
  }

  /** Values are never templates. */
  #literal(values: BulkLine['values']): BulkLine['values'] {
    if (this.#message['unsubscribe_link'] !== true) return values
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeUnsubscribe(value)]))
  }

  #openSend({ item, chatappName }: TranslatedItem): LineSend {
    const schema = sendNamed('type', item.type)
    return { item, schema, scope: chatappName === CHATAPP.name ? this.#scope : { ...this.#scope, chatappName } }
  }
}
