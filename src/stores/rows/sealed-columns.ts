/** Every column that holds what is sealed, so that all of it can be counted and sealed anew; and how a cell is. */
import { UNNAMED_KEY } from '../../ports/sealing.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from './cell.ts'
import { placeOf } from './seal-place.ts'

export interface SealedTable {
  readonly table: string
  /** Its primary key, in order. */
  readonly key: readonly string[]
  readonly columns: readonly SealedColumn[]
}

export interface SealedColumn {
  readonly name: string
  /**
   * `bound`: always sealed, with its place since places are sealed. `secret`: always sealed. `text`: may be from before texts
   * were sealed. `bytes`: always sealed, as bytes.
   */
  readonly kind: 'bound' | 'secret' | 'text' | 'bytes'
}

/** What grows with the messages comes last. */
export const SEALED_TABLES: readonly SealedTable[] = [
  sealed('meta', ['one'], 'bound', 'phone_secret'),
  sealed('account', ['account_id'], 'bound', 'hook_secrets'),
  sealed('carrier', ['carrier_id'], 'bound', 'settings'),
  sealed('admin_user', ['name'], 'bound', 'totp_secret'),
  sealed('admin_request', ['actor', 'key'], 'bound', 'answer'),
  sealed('chat_template', ['template_id'], 'text', 'template'),
  sealed('sms_template', ['template_id'], 'text', 'template'),
  sealed('idempotency', ['account_id', 'key'], 'text', 'draft', 'outcomes'),
  sealed('inbound_part', ['carrier_id', 'sender', 'recipient', 'reference', 'total', 'number'], 'secret', 'text'),
  sealed('inbound_message', ['inbound_id'], 'text', 'text'),
  sealed('link', ['code'], 'text', 'url'),
  sealed('report', ['msg_id', 'number'], 'text', 'body'),
  sealed('message_text', ['msg_id'], 'bytes', 'sealed'),
]

function sealed(
  table: string,
  key: readonly string[],
  kind: SealedColumn['kind'],
  ...names: readonly string[]
): SealedTable {
  return { table, key, columns: names.map((name) => ({ name, kind })) }
}

/** Of the rows that one transaction looks at: few enough that traffic hardly waits for it. */
export const SLICE_OF_SEALS = 200

/** Behind the row with this key; at the beginning of the table when there is none. */
export type SealPlace = readonly [table: number, ...after: readonly Cell[]]

export const FIRST_SEALS: SealPlace = [0]

export interface SealSlice {
  /** The name of the key of each seal: of all that there are, or of those that were sealed anew. */
  readonly keyIds: readonly string[]
  /** Where the next slice begins; null when this was the last. */
  readonly next: SealPlace | null
}

export function tableAt([number]: SealPlace): SealedTable {
  const table = SEALED_TABLES[number]
  if (table === undefined) throw new RangeError('there is no such table')
  return table
}

/** `keys` are those of the rows of a slice. */
export function placeAfter([number]: SealPlace, keys: readonly (readonly Cell[])[]): SealPlace | null {
  const last = keys.at(-1)
  if (keys.length === SLICE_OF_SEALS && last !== undefined) return [number, ...last]
  return number + 1 < SEALED_TABLES.length ? [number + 1] : null
}

/** The name of the key that a cell is sealed with; null for what is not sealed. */
export function keyOfCell(vault: Vault, { kind }: SealedColumn, cell: Cell): string | null {
  if (cell === null || typeof cell === 'number') return null
  const keyId = vault.keyOf(cell)
  // Texts were never sealed before keys had names: this one only looks like it.
  return kind === 'text' && keyId === UNNAMED_KEY ? null : keyId
}

/** The name of the key of a cell that is to be sealed anew with this key: another one, or no place is sealed with it. */
export function oldKeyOfCell(vault: Vault, key: string, column: SealedColumn, cell: Cell): string | null {
  const keyId = keyOfCell(vault, column, cell)
  if (keyId !== key || column.kind !== 'bound') return keyId === key ? null : keyId
  return vault.isBound(String(cell)) ? null : keyId
}

/** The cell sealed with the key that seals now. `key` is that of its row, as SEALED_TABLES has it. */
export function sealedAgain(
  vault: Vault,
  { table, column: { name, kind }, key }: { table: string; column: SealedColumn; key: readonly Cell[] },
  cell: Cell,
): string | Uint8Array {
  if (kind === 'bytes') return vault.sealBytes(vault.openBytes(cell as Uint8Array))
  if (kind === 'text') return vault.seal(vault.openText(String(cell)))
  if (kind === 'secret') return vault.seal(vault.open(String(cell)))
  const place = placeOf(table, name, ...key)
  return vault.sealAt(vault.openAt(String(cell), place), place)
}
