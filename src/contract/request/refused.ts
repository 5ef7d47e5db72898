/** Errors that end the reading of a request or of one operation. The client reads the message. */
import { fieldIn } from './error-texts.ts'

/** The request is refused as a whole: nothing of it is executed. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** One operation is refused; the other operations of the request continue. */
export class ItemRefused extends Error {
  override readonly name = 'ItemRefused'
  /** The field that the text is about; null if it is about none. */
  readonly field: string | null

  constructor(text: string, field: string | null = fieldIn(text)) {
    super(text)
    this.field = field
  }
}
