import fc from 'fast-check'

/** Any code point, half surrogates included, for `fc.string({ unit })`. The unit 'binary' of fast-check lists the million of them first. */
export const codePoint = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))
