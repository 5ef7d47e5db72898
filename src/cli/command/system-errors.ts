/**
 * Explains errors of the system, of SQLite and of PostgreSQL, and what to do about them. They arrive inside other
 * sentences, from threads and drivers, so they are recognized by text.
 */

/** `plain` replaces what the pattern matches, with `$1` its first group; null keeps it. */
interface Explanation {
  readonly pattern: RegExp
  readonly plain: string | null
  readonly advice: string
}

/** File errors of Node end in the path, quoted; those of a rename or link in two. */
function fileError(code: string): RegExp {
  return new RegExp(`\\b${code}: [^,]+, \\w+(?: '(.+?)')?(?: -> '.+?')?(?=$|;|\\n)`)
}

const SERVER_TLS =
  '?sslmode=verify-full&sslrootcert=/path/ca.crt to --database (docs/operations/cluster.md, TLS to the database)'

/** OpenSSL's wording, with Node's additions. */
const UNTRUSTED =
  '\\b(self-signed certificate(?: in certificate chain)?|unable to verify the first certificate|' +
  'unable to get (?:local )?issuer certificate)(?:; if the root CA is installed locally, try running Node\\.js with --use-system-ca)?'

const EXPLANATIONS: readonly Explanation[] = [
  { pattern: fileError('ENOENT'), plain: '$1: no such file or folder', advice: 'check the path' },
  {
    pattern: fileError('(?:EACCES|EPERM)'),
    plain: '$1: permission denied',
    advice: 'run the command as the user that Posthorn runs as, or give this user access',
  },
  {
    pattern: fileError('EROFS'),
    plain: '$1: the file system is read-only',
    advice: 'mount it writable, or choose another folder with --data-dir',
  },
  {
    pattern: fileError('(?:ENOSPC|EDQUOT)'),
    plain: '$1: no space left on the disk',
    advice: 'free some space, or raise the quota, and try again',
  },
  { pattern: fileError('EISDIR'), plain: '$1: a folder, not a file', advice: 'name a file' },
  {
    pattern: fileError('ENOTDIR'),
    plain: '$1: part of the path is a file, not a folder',
    advice: 'check the path',
  },
  { pattern: fileError('EEXIST'), plain: '$1: exists already', advice: 'choose another name' },
  {
    pattern: fileError('(?:EMFILE|ENFILE)'),
    plain: '$1: too many open files',
    advice: 'raise the limit: ulimit -n, or LimitNOFILE in the unit',
  },
  { pattern: fileError('EIO'), plain: '$1: the disk reports an error', advice: 'check the disk and the system log' },
  {
    pattern: /\blisten EADDRINUSE: address already in use (\S+)/,
    plain: '$1: another process listens on this port',
    advice: 'stop it, or choose another port with --port or --admin-port',
  },
  {
    pattern: /\blisten EACCES: permission denied (\S+)/,
    plain: '$1: this user may not listen on this port',
    advice: 'choose a port from 1024 up, or grant CAP_NET_BIND_SERVICE',
  },
  {
    pattern: /\blisten EADDRNOTAVAIL: address not available (\S+)/,
    plain: '$1: not an address of this machine',
    advice: 'correct --host or --admin-host',
  },
  {
    pattern: /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+?)(?=$|[\s;,])/,
    plain: 'the name $1 cannot be resolved',
    advice: 'correct the name, or check DNS',
  },
  {
    pattern: /\bconnect ECONNREFUSED (\S+?)(?=$|[\s;,])/,
    plain: 'connection refused by $1',
    advice: 'start the server there, or correct the address',
  },
  {
    pattern: /\bconnect (?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) (\S+?)(?=$|[\s;,])/,
    plain: '$1 cannot be reached',
    advice: 'check the address, the network and the firewall',
  },
  {
    pattern: /\bunable to open database file/,
    plain: null,
    advice: 'check that its folder exists and that this user may write there',
  },
  {
    pattern: /\battempt to write a readonly database/,
    plain: 'the database file is read-only',
    advice: 'run the command as the user that Posthorn runs as, or mount the file system writable',
  },
  {
    pattern: /\bdatabase or disk is full/,
    plain: 'no space left on the disk',
    advice: 'free some space and try again',
  },
  { pattern: /\bdisk I\/O error/, plain: null, advice: 'check the disk, its free space and the system log' },
  {
    pattern: /\b(?:file is not a database|database disk image is malformed)/,
    plain: null,
    advice: 'restore a backup (docs/operations/backup.md), or choose another folder with --data-dir',
  },
  {
    pattern: /\bdatabase ".*" does not exist/,
    plain: null,
    advice: 'correct the name, or create it with CREATE DATABASE',
  },
  { pattern: /\brole ".*" does not exist/, plain: null, advice: 'correct the user in --database, or CREATE ROLE' },
  {
    pattern: /\bpassword authentication failed for user|empty password returned|password must be a string/,
    plain: null,
    advice: 'set the right password in PGPASSWORD or ~/.pgpass',
  },
  {
    pattern: /\bno pg_hba\.conf entry for .*\bno encryption\b/,
    plain: null,
    advice: `if the server admits only TLS connections, add ${SERVER_TLS}; otherwise add a line for this user and address to pg_hba.conf and reload PostgreSQL`,
  },
  {
    pattern: new RegExp(`(?<=^cannot open the database.*)${UNTRUSTED}`),
    plain: "the server's certificate is not trusted ($1)",
    advice: `name the authority that signed it: add ${SERVER_TLS}`,
  },
  {
    pattern: new RegExp(UNTRUSTED),
    plain: "the server's certificate is not trusted ($1)",
    advice: 'name the authority that signed it in the environment: NODE_EXTRA_CA_CERTS=/path/ca.crt',
  },
  {
    pattern: /Hostname\/IP does not match certificate's altnames: (.*?)(?=$|;)/,
    plain: "the server's certificate is for another name ($1)",
    advice: 'name the server as its certificate does, or have the certificate issued for this name',
  },
  {
    pattern: /\bno pg_hba\.conf entry for/,
    plain: null,
    advice: 'add a line for this user and address to pg_hba.conf and reload PostgreSQL',
  },
  {
    pattern: /\bThe server does not support SSL connections/,
    plain: 'the server does not support TLS',
    advice: 'switch it on there, or remove sslmode from --database',
  },
  {
    pattern: /permission denied for|must be owner of/,
    plain: null,
    advice: 'have the owner of the database run posthorn migrate and the grants of docs/operations/cluster.md',
  },
]

/** Returns the sentence with a known error explained and a remedy at its end; unchanged without one. */
export function explainSystemError(sentence: string): string {
  const known = EXPLANATIONS.find(({ pattern }) => pattern.test(sentence))
  if (known === undefined) return sentence
  const { pattern, plain, advice } = known
  // A failed write has no path.
  const said = plain === null ? sentence : sentence.replace(pattern, plain).replace(/(^|: ): /, '$1')
  return `${said}; ${advice}`
}
