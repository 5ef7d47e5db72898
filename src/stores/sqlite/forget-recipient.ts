/** The operations of this database that erase a recipient (rows/erasure/forget-slices.ts). */
import type { Phone } from '../../domain/numbers/phone.ts'
import { forgetAll, type RecipientForgetter } from '../rows/erasure/forget-slices.ts'
import { SLICE_ROWS } from '../rows/queues/command-queue.ts'
import { ALONE, type GroupCommit } from './engine/group-commit.ts'

interface Erasure extends Pick<RecipientForgetter, 'lines'> {
  /** All of the recipient. */
  readonly names: readonly Phone[]
  /** Milliseconds. */
  readonly now: number
}

export function recipientForgetter(
  commit: Pick<GroupCommit, 'submit'>,
  { names, now, lines }: Erasure,
): RecipientForgetter {
  return {
    inTheWay: () => commit.submit(1, 'findInTheWay', names),
    lines,
    messages: () => forgetAll((after) => commit.submit(SLICE_ROWS, 'forgetMessages', { bucket: 0, names, after, now })),
    replies: () => forgetAll((after) => commit.submit(SLICE_ROWS, 'forgetReplies', names, after)),
    rest: () => commit.submit(SLICE_ROWS, 'forgetRest', names),
    leftovers: () => commit.submit(ALONE, 'overwriteLeftovers'),
  }
}
