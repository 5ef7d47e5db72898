/** Which carriers may receive each other's receipts: those with a common origin (carriers/receipt-origins.ts). */
import type { CarrierSetup } from '../../domain/directory/directory.ts'

export type ReceiptOrigins = (carrier: CarrierSetup) => readonly string[]

export class ReceiptPeers {
  readonly #carriers: () => readonly CarrierSetup[]
  readonly #originsOf: ReceiptOrigins
  /** The carriers from which `#peers` was computed; the directory replaces them as a whole. */
  #known: readonly CarrierSetup[] = []
  #peers: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(carriers: () => readonly CarrierSetup[], originsOf: ReceiptOrigins) {
    this.#carriers = carriers
    this.#originsOf = originsOf
  }

  /** Returns the other carriers that may have taken the message of a receipt; null if there are none. */
  of(carrierId: string): readonly string[] | null {
    const carriers = this.#carriers()
    if (carriers !== this.#known) {
      this.#known = carriers
      this.#peers = peersOf(carriers, this.#originsOf)
    }
    return this.#peers.get(carrierId) ?? null
  }
}

function peersOf(carriers: readonly CarrierSetup[], originsOf: ReceiptOrigins): ReadonlyMap<string, readonly string[]> {
  const byOrigin = new Map<string, string[]>()
  const origins = carriers.map((carrier) => ({ id: carrier.id, of: originsOf(carrier) }))
  for (const { id, of } of origins) for (const origin of of) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), id])
  return new Map(
    origins.flatMap(({ id, of }) => {
      const peers = new Set(of.flatMap((origin) => byOrigin.get(origin) ?? []))
      peers.delete(id)
      return peers.size === 0 ? [] : [[id, [...peers]] as const]
    }),
  )
}
