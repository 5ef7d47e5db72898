/** The operator of a number. The default is a prefix table; a number portability service can replace it. */
import type { Phone } from '../domain/phone.ts'

export interface Lookup {
  /** Returns the mobile operator as MCC and MNC (`26201`); null if unknown, which excludes no route. */
  operatorOf(phone: Phone): string | null
}
