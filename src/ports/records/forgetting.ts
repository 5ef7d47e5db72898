/** Erasing a recipient: the store's answer to a request to erase a phone. */

/**
 * Where bytes of the phone may remain, though no query finds them. `none`: nowhere. `room`: in free pages of the
 * database, left by moved rows; erase again while no gateway runs and the store overwrites them. `log`: in the log of a
 * busy database too; erase again and the store truncates it. `server`: in files of a database server, until VACUUM and
 * its log archives have replaced them.
 */
export type Leftovers = 'none' | 'room' | 'log' | 'server'

export type Forgotten =
  /** Nothing was changed: these have to end first, or be removed from their list. */
  | {
      readonly kind: 'in the way'
      readonly openMessages: number
      readonly pendingReports: number
      readonly listed: number
    }
  | {
      readonly kind: 'forgotten'
      /** Always the same for a phone and useless without the secret: stored in the audit log and opt-outs. */
      readonly phoneHash: string
      /** Messages of which only timeline and money remain. */
      readonly messages: number
      /** Inbound messages deleted. */
      readonly replies: number
      /** Opt-outs that remain in force, without the phone. */
      readonly optOuts: number
      readonly leftovers: Leftovers
    }

/** Only for the audit log: changes nothing. */
export interface ForgottenNote
  extends Pick<Extract<Forgotten, { kind: 'forgotten' }>, 'phoneHash' | 'messages' | 'replies' | 'optOuts'> {
  readonly kind: 'note forgotten phone'
}
