/** The certificate of the SMPP server, from the files that the settings name. */
import type { SmppTls } from '../../apis/smpp/smpp-server.ts'
import { type Config, ConfigError } from './config.ts'
import { readSecretFile } from './secret-file.ts'

/** Returns null for a server without TLS. Throws ConfigError. */
export function readSmppTls({ smppTlsCert, smppTlsKey, smppTlsClientCa }: Config): SmppTls | null {
  if (smppTlsCert === null && smppTlsKey === null && smppTlsClientCa === null) return null
  if (smppTlsCert === null) throw new ConfigError('POSTHORN_SMPP_TLS_CERT: required with the other settings of TLS')
  if (smppTlsKey === null) throw new ConfigError('POSTHORN_SMPP_TLS_KEY: required with POSTHORN_SMPP_TLS_CERT')
  return {
    cert: readFile('POSTHORN_SMPP_TLS_CERT', smppTlsCert),
    key: readFile('POSTHORN_SMPP_TLS_KEY', smppTlsKey),
    clientCa: smppTlsClientCa === null ? null : readFile('POSTHORN_SMPP_TLS_CLIENT_CA', smppTlsClientCa),
  }
}

function readFile(setting: string, path: string): string {
  try {
    return readSecretFile(path)
  } catch (error) {
    throw new ConfigError(`${setting}: ${(error as Error).message}`)
  }
}
