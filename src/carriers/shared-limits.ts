/**
 * The limits that a carrier sets for the whole installation, shared by the nodes of a cluster as slots. A carrier has
 * as many slots as its tightest limit allows. Each slot stands for its part of every limit and is held by one node at a
 * time.
 */
import type { SharedLimits } from '../delivery/carriers/connection-slots.ts'
import type { CarrierSetup } from '../domain/directory/directory.ts'
import { readSipSettings } from './sip/settings.ts'
import { readSmppSettings } from './smpp/settings.ts'

type Limits = Readonly<Record<string, number>>

/** By kind of carrier: the settings that are limits, with their defaults. */
const LIMITS_OF: Readonly<Record<string, (settings: unknown) => Limits>> = {
  smpp: (settings) => {
    const { binds, throughput } = readSmppSettings(settings)
    return throughput === undefined ? { binds } : { binds, throughput }
  },
  sip: (settings) => ({ window: readSipSettings(settings).window }),
}

export const sharedLimits: SharedLimits = { slotsOf, partOf }

/** Returns null if nothing is limited, or the settings cannot be read. */
function slotsOf(setup: CarrierSetup): number | null {
  const limits = limitsOf(setup)
  return limits === null ? null : tightest(limits)
}

/** Returns the setup with the part of each limit that belongs to the given slots. */
function partOf(setup: CarrierSetup, held: readonly number[]): CarrierSetup {
  const limits = limitsOf(setup)
  if (limits === null) return setup
  const slots = tightest(limits)
  const parts = Object.entries(limits).map(([name, limit]) => [
    name,
    sum(held.map((slot) => partAt(limit, slot, slots))),
  ])
  return { ...setup, settings: { ...(setup.settings as object), ...Object.fromEntries(parts) } }
}

function limitsOf({ kind, settings }: CarrierSetup): Limits | null {
  try {
    return LIMITS_OF[kind]?.(settings) ?? null
  } catch {
    return null
  }
}

/** A limit of 0 needs no sharing. */
function tightest(limits: Limits): number {
  return Math.min(...Object.values(limits).filter((limit) => limit > 0))
}

/** The parts of the slots differ by one at most and add up to the limit. */
function partAt(limit: number, slot: number, slots: number): number {
  return Math.floor((limit * (slot + 1)) / slots) - Math.floor((limit * slot) / slots)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
