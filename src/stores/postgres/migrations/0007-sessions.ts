/**
 * Sessions, which prove anew who asks, and failed logins. Requests to log in are forgotten, for their answers hold tokens,
 * and so are the hashes of what all requests said, for passwords can be guessed from them: a repeat of an older request is
 * a conflict and is not executed.
 */
export const SESSIONS = `
ALTER TABLE admin_token ADD COLUMN proved_at bigint; -- NULL for a token that an owner issued
UPDATE admin_token SET proved_at = created_at WHERE label ~ '^session [0-9a-f]{12}$';

-- Bounded: a row for each user, and for unknown names and addresses a number of shared ones.
CREATE TABLE login_tally (
  name text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  until bigint NOT NULL,
  code_step bigint NOT NULL DEFAULT -1 -- of the last one-time code that was used
);

DELETE FROM admin_request WHERE actor = 'nobody';
UPDATE admin_request SET body_hash = '';
`
