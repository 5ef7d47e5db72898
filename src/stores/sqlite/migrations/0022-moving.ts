/** Whether the installation is on its way into this database or was moved away from it. It only adds. */
export const MOVING = `
-- One row at most: nobody works here while it is there.
CREATE TABLE moving (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  move_id TEXT NOT NULL, -- the same in both databases
  direction TEXT NOT NULL, -- in or out
  other TEXT NOT NULL, -- from where or to where, for people
  place TEXT NOT NULL -- JSON: how far it has come, where it is on its way in
) STRICT;
`
