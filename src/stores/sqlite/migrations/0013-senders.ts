/** Sender names are requested and rejected too, for some countries, with what carriers know them by. It only adds. */
export const SENDERS = `
ALTER TABLE sender ADD COLUMN details TEXT; -- JSON of state, reason, countries, ids; NULL before this
`
