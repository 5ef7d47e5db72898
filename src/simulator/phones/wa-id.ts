/** How Meta names a phone, which is not always the way it is dialled: by its oldest form in some countries. */
import { formsOf, type Phone } from '../../domain/numbers/phone.ts'

/** Argentina with the 9, Mexico with the 1, Brazil without the ninth digit. */
const FORMS = [/^549\d{10}$/, /^521\d{10}$/, /^55\d{10}$/]

export function waIdOf(phone: string): string {
  const forms = formsOf(phone as Phone)
  return forms.find((form) => FORMS.some((pattern) => pattern.test(form))) ?? phone
}
