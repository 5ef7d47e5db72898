/** Forgetting a person: what a store answers when it is asked to forget a phone. */

/**
 * Where bytes of the phone may still stand, though no query finds them. `none`: nowhere. `room`: in room of the database
 * that is free to be used, left when rows were moved; asked again while no gateway runs, the store overwrites it. `log`: in
 * the log of a busy database too; asked again, the store empties it. `server`: in files of a database server, until its
 * VACUUM and its archives of the log have gone over them.
 */
export type Leftovers = 'none' | 'room' | 'log' | 'server'

export type Forgotten =
  /** Nothing was changed: these have to come to their end first, or to be taken off their list. */
  | {
      readonly kind: 'in the way'
      readonly openMessages: number
      readonly pendingReports: number
      readonly listed: number
    }
  | {
      readonly kind: 'forgotten'
      /** Always the same for a phone and of no use to anybody without the secret: what the audit log and opt-outs keep. */
      readonly phoneHash: string
      /** Messages that nothing is left of but their walk and their money. */
      readonly messages: number
      /** What the person wrote, deleted. */
      readonly replies: number
      /** Opt-outs that hold on, without the phone. */
      readonly optOuts: number
      readonly leftovers: Leftovers
    }

/** For the audit log alone: nothing is changed by it. */
export interface ForgottenNote
  extends Pick<Extract<Forgotten, { kind: 'forgotten' }>, 'phoneHash' | 'messages' | 'replies' | 'optOuts'> {
  readonly kind: 'note forgotten phone'
}
