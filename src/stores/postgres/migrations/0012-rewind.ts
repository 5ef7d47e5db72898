/** When a gateway last found that the database had gone back in time (acknowledged.ts). */
export const REWIND = `
CREATE TABLE rewind (
  id smallint PRIMARY KEY CHECK (id = 1),
  at bigint NOT NULL -- milliseconds, by the clock of the database
);
`
