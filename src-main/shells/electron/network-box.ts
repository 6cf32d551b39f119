import type { MessageBoxOptions } from 'electron'
import type { NetworkChange } from '../../host/core/platform.ts'
import { nativeBoxes } from './native-boxes.ts'

/** Native boxes for a proxy or certificate authorities, which can read traffic. Undefined when the text is too long to read. */
export function networkBoxes({ authorities, proxy }: NetworkChange): readonly MessageBoxOptions[] | undefined {
  return nativeBoxes({
    message: authorities.length > 0 ? 'Trust these certificate authorities?' : 'Send everything through this proxy?',
    intro: 'Parley will reach model providers and servers through',
    lines: [
      ...(proxy === undefined ? [] : [`Proxy: ${proxy}`]),
      ...authorities.flatMap(({ subject, issuer, fingerprint }) => [
        `Authority: ${subject}${issuer === undefined ? '' : `, by ${issuer}`}`,
        `  SHA-256 ${fingerprint}`,
      ]),
    ],
    advice: 'They can read what is sent, keys included. Only allow what you have set yourself.',
  })
}
