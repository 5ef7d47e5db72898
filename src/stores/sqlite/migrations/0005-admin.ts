/** Who runs the gateway and what they changed. It only adds. */
export const ADMIN = `
CREATE TABLE admin_user (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  password_hash TEXT, -- NULL without a password
  totp_secret TEXT -- sealed JSON
) STRICT, WITHOUT ROWID;
CREATE TABLE admin_token (
  hash TEXT PRIMARY KEY,
  user TEXT NOT NULL REFERENCES admin_user,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER, -- NULL for ever
  UNIQUE (user, label)
) STRICT, WITHOUT ROWID;

-- Appended, never edited.
CREATE TABLE audit (
  audit_id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  via TEXT NOT NULL,
  deed TEXT NOT NULL,
  subject TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_subject ON audit (subject);
CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is not edited'); END;

CREATE TABLE admin_request (
  actor TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT, -- sealed; NULL until it is kept
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_request_kept ON admin_request (keep_until);

CREATE INDEX message_of_phone ON message (phone, msg_id);
CREATE INDEX report_failed_of_message ON report (msg_id) WHERE state = 'failed';
`
