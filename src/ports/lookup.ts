/** Who a number belongs to. The built-in answer is a prefix table; portability services can stand in its place. */
import type { Phone } from '../domain/phone.ts'

export interface Lookup {
  /** The mobile operator as MCC and MNC (`26201`); null when it is not known, which then excludes no route. */
  operatorOf(phone: Phone): string | null
}
