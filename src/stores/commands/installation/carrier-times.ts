/** Reads how long a carrier was in each state. */
import type { CarrierTime } from '../../../domain/routing/carrier-time.ts'
import { selectFrom } from '../../rows/cells/table.ts'
import { CARRIER_TIMES } from '../../rows/setup/carrier-times.ts'
import { type Command, rows } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const SELECT_TIMES = sql(`${selectFrom(CARRIER_TIMES)} WHERE carrier_id = ? AND day >= ? ORDER BY day, node, state`)

export function* loadCarrierTimes(carrierId: string, fromDay: number): Command<readonly CarrierTime[]> {
  return (yield* rows(SELECT_TIMES, carrierId, fromDay)).map(CARRIER_TIMES.read)
}
