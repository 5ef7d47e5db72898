/** Makes sends of the lines of a bulk: fills the message, then reads, checks and prices it as any other send. */
import { CHATAPP, inClientNames, type TranslatedItem } from '../../contract/chatapp-names.ts'
import type { JsonObject } from '../../contract/envelope.ts'
import { notOneOf } from '../../contract/error-texts.ts'
import type { SendSchema } from '../../contract/operation-schemas.ts'
import { JsonToken } from '../../contract/read-json.ts'
import { ItemRefused } from '../../contract/refused.ts'
import { SEND_TYPES } from '../../contract/send-types.ts'
import type { Bulk } from '../../domain/bulk.ts'
import type { BulkLine, LineCause } from '../../domain/bulk-lines.ts'
import { type Micros, NO_MONEY } from '../../domain/money.ts'
import { fillPlaceholders } from '../../domain/placeholders.ts'
import { holdOf } from '../../domain/plan.ts'
import type { AcceptItem } from '../../ports/intake-store.ts'
import type { Scope } from '../planned.ts'
import { NO_CHANCE, SENDS } from '../price.ts'
import { readSend } from '../read-send.ts'
import { planSend } from '../send.ts'

interface LineSend {
  readonly scope: Scope
  readonly item: JsonObject
  readonly schema: SendSchema
}

export class LineChecker {
  readonly #scope: Scope
  readonly #message: JsonObject

  constructor(scope: Scope, { message }: Pick<Bulk, 'message'>) {
    this.#scope = scope
    this.#message = JSON.parse(message)
  }

  /** Returns the most that the line can cost, or why it cannot be sent. */
  price(line: BulkLine): Micros | LineCause {
    return this.#send(line, ({ scope, item, schema }) => {
      const { plan } = readSend(scope, item, schema, NO_CHANCE)
      return scope.key.test ? NO_MONEY : holdOf(plan)
    })
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
    const filled = fillPlaceholders(this.#message, values)
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

  #openSend({ item, chatappName }: TranslatedItem): LineSend {
    const schema = schemaOf(item)
    return { item, schema, scope: chatappName === CHATAPP ? this.#scope : { ...this.#scope, chatappName } }
  }
}

/** Throws ItemRefused for another operation than a send. */
export function schemaOf(item: JsonObject): SendSchema {
  const schema = SENDS.get(String(item.type))
  if (schema === undefined) throw new ItemRefused(notOneOf('type', SEND_TYPES))
  return schema
}
