/** The error of a node whose lease another node took over. */
import { StoreError } from '../../../ports/records/store-errors.ts'

/** Another node took over from this one; it writes nothing any more. */
export class LeaseLost extends StoreError {
  constructor(reason = 'another node has taken over from this one') {
    super(reason)
  }
}
