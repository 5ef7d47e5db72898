/** How long carriers were in each state, as rows. They are not part of the directory. */
import type { CarrierTime } from '../../../domain/routing/carrier-time.ts'
import { table } from '../cells/table.ts'

export const CARRIER_TIMES = table('carrier_time')<CarrierTime, CarrierTime, 'carrierId' | 'day' | 'node' | 'state'>({})
