/** The error of a node whose lease another node has taken over. */
import { StoreError } from '../../ports/store-errors.ts'

/** Another node has taken over what this one held; it writes nothing any more. */
export class LeaseLost extends StoreError {
  constructor(reason = 'another node has taken over from this one') {
    super(reason)
  }
}
