/** What people wrote to our numbers: written as it came and sealed, read newest first. */
import type { InboundMessage } from '../../ports/carrier.ts'
import { keepable } from '../rows/kept-text.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function recordInbound({ database, vault }: Session): (messages: readonly InboundMessage[]) => void {
  const insert = new Statement(
    database,
    'INSERT INTO inbound_message (carrier_id, sender, recipient, text, at) VALUES (?, ?, ?, ?, ?)',
  )
  return (messages) => {
    for (const { carrierId, sender, recipient, text, at } of messages) {
      insert.run(carrierId, keepable(sender), keepable(recipient), vault.seal(keepable(text)), at)
    }
  }
}

export function inboundMessages({ database, vault }: Session): (most: number) => InboundMessage[] {
  const select = new Statement<[carrierId: string, sender: string, recipient: string, text: string, at: number]>(
    database,
    'SELECT carrier_id, sender, recipient, text, at FROM inbound_message ORDER BY inbound_id DESC LIMIT ?',
  )
  return (most) =>
    select.all(most).map(([carrierId, sender, recipient, text, at]) => {
      return { carrierId, sender, recipient, text: vault.openText(text), at }
    })
}
