import type { TextFormat } from './form-fields.ts'

/** What a person should type, said when a value does not fit. */
export const FORMAT_HINTS: Readonly<Record<TextFormat, string>> = {
  email: 'Enter an email address, like name@example.org',
  uri: 'Enter a full address, like https://example.org/page',
  date: 'Enter a date, like 2026-01-31',
  'date-time': 'Enter a date and time with its zone, like 2026-01-31T14:30:00Z',
}

/** Checks a format of JSON Schema in linear time (ELIC-20). */
export function matchesFormat(format: TextFormat, text: string): boolean {
  switch (format) {
    case 'email':
      return isEmail(text)
    case 'uri':
      return isUri(text)
    case 'date':
      return isDate(text)
    case 'date-time':
      return isDateTime(text)
  }
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  if (at < 1 || local.length > 64 || text.length > 254 || /[\s@<>()[\],;:\\"]/.test(local)) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !/^-|-$/.test(label))
}

function isUri(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text)) return false
  try {
    return new URL(text).href !== ''
  } catch {
    return false
  }
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0)
  return day >= 1 && day <= days
}

/** RFC 3339, leap seconds included. */
function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text)
  if (!match?.[1] || !isDate(match[1])) return false
  const [hour, minute, second, zoneHour, zoneMinute] = match.slice(2).map((part) => Number(part ?? 0))
  return inRange(hour, 23) && inRange(minute, 59) && inRange(second, 60) && inRange(zoneHour, 23) && inRange(zoneMinute, 59)
}

function inRange(value: number | undefined, most: number): boolean {
  return value !== undefined && value <= most
}
