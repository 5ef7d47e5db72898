/** What the steps of an import of a sheet share. */

import type { AnswerOf, InputOf } from '../../api/api.ts'
import type { PriceOwner } from '../prices/price.ts'
import type { NamedSheet } from './read-file.ts'

/** What the rates of the sheet become. */
export type SheetTarget =
  | { readonly kind: 'costs'; readonly carrier: string }
  | ({ readonly kind: 'prices' } & PriceOwner)

type CostAnswer = AnswerOf<'POST', '/carriers/{carrier}/cost-sheets'>

/** Prices are not compared with costs. */
export type SheetAnswer = Omit<CostAnswer, 'below_cost'> & Partial<Pick<CostAnswer, 'below_cost'>>

type PriceBody = InputOf<'POST', '/price-sheets'>['body']
export type SheetColumns = NonNullable<PriceBody['columns']>

export interface SheetValues {
  readonly file: NamedSheet | null
  readonly channel: PriceBody['channel']
  readonly from: string
  readonly currency: string
  readonly percent: string
  readonly min_margin: string
  readonly replace: boolean
  readonly columns: SheetColumns
  readonly decimal: '' | '.' | ','
  readonly skip_wrong: boolean
  readonly confirm: boolean
}
