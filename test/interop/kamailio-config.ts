/** Kamailio as a proxy in front of one phone: challenges the caller, records its route, and matches CANCELs. */

export interface KamailioOptions {
  readonly port: number
  readonly phonePort: number
  readonly algorithm: 'MD5' | 'SHA-256'
  readonly username: string
  readonly password: string
}

const REALM = 'kamailio.example'

/** The text of kamailio.cfg; one worker, UDP on loopback. */
export function writeKamailioConfig(options: KamailioOptions): string {
  const { port, phonePort, algorithm, username, password } = options
  return `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:127.0.0.1:${port}
${['tm', 'sl', 'rr', 'pv', 'auth', 'siputils', 'textops', 'usrloc', 'registrar'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("auth", "algorithm", "${algorithm === 'MD5' ? '' : algorithm}")
modparam("auth", "qop", "auth")

request_route {
  if (is_method("OPTIONS")) {
    sl_send_reply("200", "OK");
    exit;
  }
  if (is_method("REGISTER")) {
    if ($au != "${username}" || !pv_www_authenticate("${REALM}", "${password}", "0")) {
      www_challenge("${REALM}", "1");
      exit;
    }
    save("location");
    exit;
  }
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }
  if (has_totag()) {
    if (loose_route()) t_relay();
    else if (is_method("ACK") && t_check_trans()) t_relay();
    exit;
  }
  if ($au != "${username}" || !pv_proxy_authenticate("${REALM}", "${password}", "0")) {
    proxy_challenge("${REALM}", "1");
    exit;
  }
  consume_credentials();
  record_route();
  $du = "sip:127.0.0.1:${phonePort}";
  t_relay();
}
`
}
