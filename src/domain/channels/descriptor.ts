/** What all rules need to know of a channel. A rule asks for these facts and not for the name of a channel. */

interface SenderId {
  readonly id: string
  /** The setting, by sender name, that holds it in carriers of a kind. */
  readonly place?: { readonly kind: string; readonly setting: string; readonly isNumber?: true }
}

export interface ChannelDescriptor {
  /** In requests, answers and settings: `sms`. Fields of a send begin with it: `sms_message`. */
  readonly name: string
  /** In the console, by language. */
  readonly label: { readonly en: string; readonly de: string }
  /**
   * `text`: texts of clients, in sends and chains. `code`: one-time codes alone, in verifications. `call`: no content:
   * the last digits of the calling number are the code.
   */
  readonly carries: 'text' | 'code' | 'call'
  /** When the step is charged: once the carrier has the message, or once the recipient has it. */
  readonly charged: 'taken' | 'delivered'
  /** The names under which it sends: of a number or of up to 11 GSM characters, of any text, or none. */
  readonly sender: 'number or name' | 'name' | 'none'
  /** Identifiers of a sender name that carriers or regulators ask for. */
  readonly senderIds: readonly SenderId[]
  /** Whether a text is split into SMS parts, each with its price. Otherwise it is one. */
  readonly inParts: boolean
  /** Whether messengers of the channel show rich content. */
  readonly isRich: boolean
  /** Whether carriers report that the recipient has read the message. */
  readonly reportsReads: boolean
  /** How long a step waits in a chain by default: as the account's settings say, or as long as it would alone. */
  readonly waitsInChain: 'step lifetime' | 'whole lifetime'
}
