/** Submits that wait to be sent: tenants take turns, and the submits of one tenant keep their order. */

export interface Waiting {
  readonly tenant: number
  /** Of arrival. */
  readonly order: number
  /** Monotonic milliseconds. */
  readonly deadline: number
}

export class WaitingSubmits<Submit extends Waiting> {
  /** By tenant, the one whose turn is next first. None is empty. */
  readonly #lines = new Map<number, Submit[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The submit to be sent next. */
  get first(): Submit | undefined {
    for (const [next] of this.#lines.values()) return next
    return undefined
  }

  /** Removes the first one; its tenant has its next turn after all others. */
  shift(): void {
    for (const [tenant, line] of this.#lines) {
      line.shift()
      this.#length -= 1
      this.#lines.delete(tenant)
      if (line.length > 0) this.#lines.set(tenant, line)
      return
    }
  }

  /** Adds a submit to its tenant's, in their order of arrival. */
  add(submit: Submit): void {
    this.#length += 1
    const line = this.#lines.get(submit.tenant)
    if (line === undefined) {
      this.#lines.set(submit.tenant, [submit])
    } else {
      const behind = line.findLastIndex((other) => other.order < submit.order)
      line.splice(behind + 1, 0, submit)
    }
  }

  /** Removes and returns those that fulfil the condition. */
  take(isTaken: (submit: Submit) => boolean): readonly Submit[] {
    const taken: Submit[] = []
    for (const [tenant, line] of this.#lines) {
      const left: Submit[] = []
      for (const submit of line) (isTaken(submit) ? taken : left).push(submit)
      if (left.length > 0) this.#lines.set(tenant, left)
      else this.#lines.delete(tenant)
    }
    this.#length -= taken.length
    return taken
  }

  /** Infinity if there is none. */
  earliestDeadline(): number {
    let earliest = Number.POSITIVE_INFINITY
    for (const line of this.#lines.values()) for (const { deadline } of line) earliest = Math.min(earliest, deadline)
    return earliest
  }
}
