/** Which node has which seat of the carriers that allow an installation only so many connections or messages a second. */
export const SEATS = `
CREATE TABLE carrier_seat (
  carrier_id text COLLATE "C" NOT NULL,
  seat integer NOT NULL,
  node integer NOT NULL,
  PRIMARY KEY (carrier_id, seat)
);
`
