import type { ReactNode } from 'react'

/** Icons are decoration: each stands beside a word or in a labelled control. */
const icon = (shape: ReactNode) => () => (
  <svg
    className="ui-icon"
    width={16}
    height={16}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {shape}
  </svg>
)

export const ChatIcon = icon(<path d="M2.5 3.5h11v7.5h-6l-3 2.5V11h-2z" />)
export const ServerIcon = icon(
  <>
    <rect x="2.5" y="2.5" width="11" height="4.5" rx="1" />
    <rect x="2.5" y="9" width="11" height="4.5" rx="1" />
    <path d="M5 4.75h.01M5 11.25h.01" />
  </>,
)
export const InboxIcon = icon(<path d="M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zM2.5 9.5H6l.7 1.5h2.6l.7-1.5h3.5" />)
export const SettingsIcon = icon(
  <>
    <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6" />
    <circle cx="10" cy="4.5" r="1.5" />
    <circle cx="6" cy="11.5" r="1.5" />
  </>,
)
export const ProjectIcon = icon(<path d="M2.5 12.5v-9H6l1.5 2h6v7z" />)
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />)
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />)
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2" />)
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />)
export const BackIcon = icon(<path d="m10 3.5-4.5 4.5L10 12.5" />)
export const ChevronRightIcon = icon(<path d="m6 3.5 4.5 4.5L6 12.5" />)
export const ChevronDownIcon = icon(<path d="M3.5 6 8 10.5 12.5 6" />)
export const ChevronUpIcon = icon(<path d="M3.5 10 8 5.5 12.5 10" />)
export const SendIcon = icon(<path d="M8 13V3M3.5 7.5 8 3l4.5 4.5" />)
export const StopIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />)
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </>,
)
export const CheckIcon = icon(<path d="m3 8.5 3.5 3.5L13 4.5" />)
export const WarningIcon = icon(<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.2v.01" />)
export const NoticeIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 7.5V11M8 5.2v.01" />
  </>,
)
export const ToolIcon = icon(<path d="M10 2.7a3.3 3.3 0 0 0-3 4.6L2.7 11.6l1.7 1.7L8.7 9A3.3 3.3 0 0 0 13.2 5L11 7 9 5z" />)
export const ClockIcon = icon(<path d="M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5" />)
export const PauseIcon = icon(<path d="M5.5 3.5v9M10.5 3.5v9" />)
export const AttachIcon = icon(<path d="M11.5 6.5 7 11a2 2 0 0 1-2.8-2.8l5-5a3 3 0 0 1 4.3 4.3l-5.3 5.2" />)
export const PromptIcon = icon(<path d="M10.5 2.5 5.5 13.5" />)
export const ImportIcon = icon(<path d="M8 2.5v7M5 6.8l3 3 3-3M2.5 12v1.5h11V12" />)
export const EditIcon = icon(<path d="M10.5 3 13 5.5 5.5 13H3v-2.5zM9 4.5 11.5 7" />)
