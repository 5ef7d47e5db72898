/** How far sweeping has come, and the way from a message to its carriers' ids. It only adds. */
export const SWEEPING = `
-- Messages up to this one were gone through for this deed, on behalf of those who keep things for so many days. It goes
-- back to the beginning when somebody begins to keep them for so long only; furthest does not.
CREATE TABLE sweep_mark (
  deed TEXT NOT NULL,
  days INTEGER NOT NULL,
  msg_id INTEGER NOT NULL,
  furthest INTEGER NOT NULL,
  PRIMARY KEY (deed, days)
) STRICT, WITHOUT ROWID;
-- Messages that a mark had passed while they were open, or a report of theirs was pending, and that are so no more.
CREATE TABLE sweep_left (
  msg_id INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX part_ref_of_message ON part_ref (msg_id);
`
