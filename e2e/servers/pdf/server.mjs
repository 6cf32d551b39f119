// A server whose resources are PDF files: good ones, and all kinds of bad ones. Its argument is an address that nobody may ask for.
import { handshake, say, serve } from '../small/wire.mjs'
import { FIRST_MORE, pdfOf, stream, writePdf } from './write-pdf.mjs'

const canary = process.argv[2] ?? 'http://127.0.0.1:9'
const id = (n) => `${FIRST_MORE + n} 0 R`
const script = (words) => `<< /S /JavaScript /JS (${words}) >>`
const launch = '<< /S /Launch /F (/bin/sh) /Win << /F (calc.exe) >> /NewWindow true >>'
const rect = (n) => `/Rect [72 ${600 - 40 * n} 300 ${630 - 40 * n}]`
const link = (n, action) => `<< /Type /Annot /Subtype /Link ${rect(n)} /Border [0 0 1] /A ${action} >>`

/** Everything that a file may ask a viewer to do. */
const acts = () => {
  const calls = `app.launchURL('${canary}/js', true); app.alert('canary'); this.submitForm('${canary}/form'); this.getURL('${canary}/get');`
  return pdfOf([['It does nothing', 'Whatever it asks for']], {
    catalog: `/OpenAction ${id(0)} /AA << /WC ${id(0)} /DS ${id(0)} >> /AcroForm ${id(3)}
      /Names << /JavaScript << /Names [(a) ${id(0)}] >> /EmbeddedFiles << /Names [(b.exe) ${id(1)}] >> >>
      /URI << /Base (${canary}/base/) >> /PageMode /UseAttachments /ViewerPreferences << /HideToolbar true >>`,
    page: `/AA << /O ${id(0)} /C << /S /URI /URI (${canary}/close) >> >> /Annots [${[4, 5, 6, 7, 8, 9].map(id).join(' ')}]`,
    more: [
      `<< /S /JavaScript /JS (${calls}) /Next [<< /S /URI /URI (${canary}/open) >> ${launch} << /S /GoToR /F (${canary}/other.pdf) >>] >>`,
      `<< /Type /Filespec /F (b.exe) /EF << /F ${id(2)} >> >>`,
      stream('MZ program', '/Type /EmbeddedFile'),
      `<< /Fields [${id(8)}] /XFA ${id(10)} /NeedAppearances true >>`,
      link(0, `<< /S /URI /URI (https://example.com/manual) >>`),
      link(1, launch),
      link(2, script(calls)),
      link(3, '<< /S /URI /URI (javascript:fetch\\(1\\)) >>'),
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (go) ${rect(4)} /A << /S /SubmitForm /F (${canary}/submit) >> /AA << /Fo ${id(0)} >> >>`,
      `<< /Type /Annot /Subtype /FileAttachment ${rect(5)} /FS ${id(1)} /Contents (open me) >>`,
      stream(
        `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform><event activity="initialize"><script>${calls}</script></event><draw><value><image href="${canary}/xfa.png"/></value></draw></subform></template></xdp:xdp>`,
      ),
      stream(
        '',
        `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB /F (${canary}/external)`,
      ),
    ],
  })
}

/** Ten forms of which each draws the next ten times. */
const endless = () => {
  const depth = 10
  const forms = Array.from({ length: depth }, (_, n) =>
    stream(
      n === depth - 1 ? '0 0 600 700 re f' : '/X Do '.repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X ${5 + n + 1} 0 R >> >>`,
    ),
  )
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    stream('/X Do '.repeat(10)),
    ...forms,
  ])
}

/** One page, a hundred thousand times. */
const countless = () =>
  writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
    stream('10 10 100 100 re f'),
  ])

const FILES = {
  report: () =>
    pdfOf([
      ['Quarterly report', 'Revenue rose by 7 percent.'],
      ['Second page', 'Costs fell.'],
      ['Third page', 'The end.'],
    ]),
  thousand: () => pdfOf(Array.from({ length: 1000 }, (_, n) => [`Sheet ${n + 1}`, 'of a long book'])),
  mixed: () =>
    pdfOf(
      Array.from({ length: 60 }, (_, n) => [`Sheet ${n + 1}`, 'upright or lying']),
      { box: (n) => (n % 2 === 0 ? '0 0 612 792' : '0 0 792 306') },
    ),
  acts,
  endless,
  countless,
  huge: () => pdfOf([['Lost in space', 'x']], { box: '0 0 1000000000 1000000000' }),
  broken: () => Buffer.from('%PDF-1.7\nthis is no PDF at all'),
  locked: () =>
    pdfOf([['Secret', 'x']], {
      more: [`<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`],
      trailer: `/Encrypt ${id(0)} /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`,
    }),
}

/** Damaged when it is read for the first time, and mended soon after. */
let reads = 0
FILES.mended = () => {
  if (reads++ > 0) return pdfOf([['As good as new', 'x']])
  setTimeout(() => say({ method: 'notifications/resources/updated', params: { uri: 'papers:///mended.pdf' } }), 300)
  return FILES.broken()
}

const base = handshake('papers')
serve({
  initialize: (params) => ({ ...base(params), capabilities: { resources: { subscribe: true } } }),
  'resources/list': () => ({
    resources: Object.keys(FILES).map((name) => ({ uri: `papers:///${name}.pdf`, name, mimeType: 'application/pdf' })),
  }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => {
    const file = FILES[/^papers:\/\/\/(\w+)\.pdf$/.exec(uri)?.[1] ?? '']
    if (!file) throw new Error('no such file')
    return { contents: [{ uri, mimeType: 'application/pdf', blob: file().toString('base64') }] }
  },
})
