import { X509Certificate } from 'node:crypto'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { CertificateView } from '../../../src-shared/contract/settings.ts'

/** A certificate authority that a person added. */
export interface Authority {
  readonly pem: string
  readonly view: CertificateView
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/**
 * The certificate authorities of a PEM file; whatever else is in it, such as a private key, is left out. Throws HostError
 * `invalid-params` with a sentence for a file without any, and for a certificate that cannot be used at `now`.
 */
export function readAuthorities(text: string, now: number): readonly Authority[] {
  const found = text.match(CERTIFICATE) ?? []
  if (found.length === 0) throw refused(withoutCertificates(text))
  return [...new Set(found.map((pem) => pem.trim()))].map((pem) => readAuthority(pem, now))
}

function readAuthority(pem: string, now: number): Authority {
  const read = parsed(pem)
  const subject = nameOf(read.subject)
  const expiresAt = Date.parse(read.validTo)
  const own = read.issuer === read.subject
  if (expiresAt < now) {
    throw refused(`The certificate of “${subject}” expired on ${read.validTo}. Ask your administrator for a newer one.`)
  }
  if (!read.ca && !own) {
    throw refused(`“${subject}” is the certificate of a server, not of an authority. Choose that of “${nameOf(read.issuer)}”.`)
  }
  return { pem, view: { subject, ...(!own && { issuer: nameOf(read.issuer) }), expiresAt, fingerprint: read.fingerprint256 } }
}

function parsed(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw refused('A certificate in this file is damaged. Get the file again.')
  }
}

/** The common name, or else all that it says. */
function nameOf(said: string | undefined): string {
  const lines = (said ?? '').split('\n')
  const common = lines.find((line) => line.startsWith('CN='))
  return (common?.slice(3) ?? lines.join(', ')).slice(0, 200) || 'no name'
}

function withoutCertificates(text: string): string {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return 'This file holds a private key and no certificate. Keep it to yourself.'
  return 'No certificate is in this file. A PEM file holds lines such as -----BEGIN CERTIFICATE-----.'
}

const refused = (sentence: string) => new HostError('invalid-params', sentence)
