// Signs the feeds of a release: `node e2e/scripts/sign-feed.mjs dist/latest*.yml`, with the private key (PEM, Ed25519) in
// PARLEY_UPDATE_SIGNING_KEY. Writes each signature beside its file and prints the public key that builds are given (PARLEY_UPDATE_KEY).
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const key = createPrivateKey(process.env.PARLEY_UPDATE_SIGNING_KEY ?? '')
if (key.asymmetricKeyType !== 'ed25519') throw new Error('PARLEY_UPDATE_SIGNING_KEY is no Ed25519 key')
for (const file of process.argv.slice(2)) {
  writeFileSync(`${file}.sig`, sign(null, readFileSync(file), key).toString('base64'))
}
console.log(createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'))
