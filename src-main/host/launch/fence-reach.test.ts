import { expect, it } from 'vitest'
import { refusal } from './fence-reach.ts'

const mac = { home: '/Users/ada', dataFolder: '/Users/ada/Library/Application Support/Parley', isMac: true }

it('no fence of a Mac is opened for folders in which programs or the system keep what is theirs', () => {
  const refused = [
    '/Users',
    '/Users/ada',
    '/Users/ada/.ssh',
    '/Users/ada/Library',
    '/Users/ada/Library/Keychains',
    '/Users/ada/Library/Application Support/Google/Chrome',
    '/Library/Preferences',
    '/System/Volumes/Data/Users/ada/notes',
    '/private',
    '/private/etc/ssl',
    '/private/var',
    '/private/var/db/dslocal',
  ]
  expect(refused.filter((folder) => refusal(folder, mac) === undefined)).toEqual([])
  const documents = ['Documents', 'Library/Mobile Documents/com~apple~CloudDocs', 'Library/CloudStorage/Drive'].map(
    (name) => `/Users/ada/${name}`,
  )
  expect([...documents, '/Volumes/Disk/work', '/private/tmp/work'].map((folder) => refusal(folder, mac))).toEqual(
    Array(5).fill(undefined),
  )
})

it('a folder called Library is one like any other where it is no Mac', () => {
  const linux = { home: '/home/ada', dataFolder: '/home/ada/.config/parley' }
  expect(refusal('/home/ada/Library/books', linux)).toBeUndefined()
  expect(refusal('/root/notes', linux)).toBe('it belongs to the system')
  expect(refusal('/', linux)).toBe('it holds your whole home folder')
})
