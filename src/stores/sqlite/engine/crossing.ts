/**
 * Batches on their way between threads. V8 copies a text at once and an object value by value, so frequent commands and
 * their answers cross as JSON: for one message that takes 9 instead of 12 µs, both threads together.
 */
import type { CommandOutcome, EngineCommand, Verb, Verbs } from './engine.ts'

/** Only what JSON returns unchanged. */
type Plain<T> = T extends string | number | boolean | null
  ? T
  : T extends
        | undefined
        | ArrayBufferView
        | ReadonlyMap<never, never>
        | ReadonlySet<never>
        | ((...args: never) => unknown)
    ? never
    : { [Key in keyof T]: Plain<T[Key]> }
type Call<V extends Verb> = readonly [Parameters<Verbs[V]>, ReturnType<Verbs[V]>]
type PlainVerb = { [V in Verb]: Call<V> extends Plain<Call<V>> ? V : never }[Verb]

const FREQUENT: readonly PlainVerb[] = [
  'accept',
  'bulk',
  'record',
  'matchReceipts',
  'settleReports',
  'directoryRevision',
]
const PLAIN: ReadonlySet<Verb> = new Set<Verb>(FREQUENT)

export type PackedBatch = string | readonly EngineCommand[]
export type PackedAnswers = string | readonly CommandOutcome[]

export function packBatch(batch: readonly EngineCommand[]): PackedBatch {
  return batch.every(([verb]) => PLAIN.has(verb)) ? JSON.stringify(batch) : batch
}

export function unpackBatch(packed: PackedBatch): readonly EngineCommand[] {
  return typeof packed === 'string' ? (JSON.parse(packed) as EngineCommand[]) : packed
}

/** Packs answers as the batch was. */
export function packAnswers(answers: readonly CommandOutcome[], batch: PackedBatch): PackedAnswers {
  return typeof batch === 'string' ? JSON.stringify(answers) : answers
}

export function unpackAnswers(packed: PackedAnswers): readonly CommandOutcome[] {
  return typeof packed === 'string' ? (JSON.parse(packed) as CommandOutcome[]) : packed
}
