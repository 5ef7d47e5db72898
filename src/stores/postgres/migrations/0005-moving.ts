/** Whether the installation is on its way into this database or was moved away from it. */
export const MOVING = `
-- One row at most: nobody works here while it is there.
CREATE TABLE moving (
  one smallint PRIMARY KEY CHECK (one = 1),
  move_id text NOT NULL, -- the same in both databases
  direction text NOT NULL, -- in or out
  other text NOT NULL, -- from where or to where, for people
  place text NOT NULL -- JSON: how far it has come, where it is on its way in
);
`
