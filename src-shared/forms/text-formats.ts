import type { TextFormat } from './form-fields.ts'

/** Hints for values that do not fit their format. */
export const FORMAT_HINTS: Readonly<Record<TextFormat, string>> = {
  email: 'Enter an email address, like name@example.org',
  uri: 'Enter a full address, like https://example.org/page',
  date: 'Enter a date, like 2026-01-31',
  'date-time': 'Enter a date and time with its zone, like 2026-01-31T14:30:00Z',
}

/** Checks a format of JSON Schema in linear time, with the same result as the usual validators (ELIC-20). */
export function matchesFormat(format: TextFormat, text: string): boolean {
  switch (format) {
    case 'email':
      return isEmail(text)
    case 'uri':
      return URI.test(text)
    case 'date':
      return isDate(text)
    case 'date-time':
      return isDateTime(text)
  }
}

/** RFC 5321 without quoted local parts and address literals. */
function isEmail(text: string): boolean {
  const [local, domain, more] = text.split('@')
  if (local === undefined || domain === undefined || more !== undefined) return false
  const labels = domain.split('.')
  return (
    local.split('.').every((part) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  )
}

/** RFC 3986; a scheme alone is not enough. */
const URI = (() => {
  const unit = `[a-z0-9\\-._~!$&'()*+,;=:@]|%[0-9a-f]{2}`
  const name = `(?:[a-z0-9\\-._~!$&'()*+,;=]|%[0-9a-f]{2})*`
  const user = `(?:[a-z0-9\\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@`
  const byte = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)'
  const four = `(?:${byte}\\.){3}${byte}`
  const word = '[0-9a-f]{1,4}'
  const tail = `(?:${word}:${word}|${four})`
  const head = (most: number) => `(?:(?:${word}:){0,${most}}${word})?`
  const six = [
    `(?:${word}:){6}${tail}`,
    `::(?:${word}:){5}${tail}`,
    `(?:${word})?::(?:${word}:){4}${tail}`,
    `${head(1)}::(?:${word}:){3}${tail}`,
    `${head(2)}::(?:${word}:){2}${tail}`,
    `${head(3)}::${word}:${tail}`,
    `${head(4)}::${tail}`,
    `${head(5)}::${word}`,
    `${head(6)}::`,
  ].join('|')
  const literal = `\\[(?:${six}|v[0-9a-f]+\\.[a-z0-9\\-._~!$&'()*+,;=:]+)\\]`
  const authority = `(?:${user})?(?:${literal}|${four}|${name})(?::\\d*)?`
  const segments = `(?:/(?:${unit})*)*`
  const rootless = `(?:${unit})+${segments}`
  const part = `(?:${unit}|[/?])*`
  return new RegExp(
    `^[a-z][a-z0-9+\\-.]*:(?://?${authority}${segments}|/(?:${rootless})?|${rootless})(?:\\?${part})?(?:#${part})?$`,
    'i',
  )
})()

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0)
  return day >= 1 && day <= days
}

/** RFC 3339; a leap second only at the end of a day in UTC. */
function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[t\s](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i.exec(text)
  if (!match?.[1] || !isDate(match[1])) return false
  const [hour = 0, minute = 0, second = 0] = match.slice(2, 5).map(Number)
  const zoneHour = Number(match[6] ?? 0)
  const zoneMinute = Number(match[7] ?? 0)
  if (zoneHour > 23 || zoneMinute > 59) return false
  if (hour <= 23 && minute <= 59 && second <= 59) return true
  const sign = match[5] === '-' ? -1 : 1
  const utcMinute = minute - zoneMinute * sign
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0)
  return second === 60 && (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1)
}
