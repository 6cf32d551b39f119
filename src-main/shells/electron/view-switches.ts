/** Switches of Chromium that guard against views of servers, which no policy of a page can (decision 0045). */
export const VIEW_SWITCHES = {
  /** A frame takes the keyboard only after the person used it (APP-30), and each has a process of its own, so that none stops another. */
  'enable-features': 'BlockingFocusWithoutUserActivation,IsolateSandboxedIframes:grouping/per-document',
  /** WebRTC sends nothing past the policy of the page (APP-31). */
  'force-webrtc-ip-handling-policy': 'disable_non_proxied_udp',
} as const
