// The frames that show strangers' content, each as one document: it has no origin, so nothing that it needs can be loaded from anywhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DECODERS = ['jbig2', 'openjpeg']
const DECODER_IMPORT = /await import\(\s*(?:\/\*[^*]*\*\/\s*)*`\$\{WasmImage\.#wasmUrl\}\$\{this\._noWasmFilename\}`\s*\)/

/** A Vite plugin for workers: pdf.js would load its JavaScript decoders by address; here they are part of it. */
export function decodersInside() {
  return {
    name: 'parley-pdf-decoders',
    transform(code, id) {
      if (!/pdf\.worker\.mjs$/.test(id)) return null
      if (!DECODER_IMPORT.test(code)) throw new Error('pdf.js loads its decoders in another way than build-frames.mjs knows')
      const imports = DECODERS.map((name) => `import parley_${name} from 'pdfjs-dist/wasm/${name}_nowasm_fallback.js'\n`)
      const table = DECODERS.map((name) => `'${name}_nowasm_fallback.js': parley_${name}`)
      return {
        code: `${imports.join('')}${code.replace(DECODER_IMPORT, `{ default: { ${table} }[this._noWasmFilename] }`)}`,
        map: null,
      }
    },
  }
}

/** A frame's document, and the files in it besides its script and style. */
const FRAMES = {
  pdf: { title: 'PDF', files: pdfFiles, licences: pdfLicences },
  diagram: { title: 'Diagram' },
  preview: { title: 'Preview' },
}

/** The environments of vite.config.ts that build a frame, each from `src-renderer/<name>/frame.ts`. */
export const FRAME_NAMES = Object.keys(FRAMES)

/** A Vite plugin for those environments: script, style and files become index.html. */
export function frameDocuments(root) {
  return {
    name: 'parley-frame-documents',
    apply: 'build',
    applyToEnvironment: (environment) => FRAME_NAMES.includes(environment.name),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const { title, files, licences } = FRAMES[this.environment.name]
        let script = ''
        let style = ''
        for (const [name, output] of Object.entries(bundle)) {
          if (output.type === 'chunk') script += output.code
          else if (name.endsWith('.css')) style += output.source
          else continue
          delete bundle[name]
        }
        if (/<\/style/i.test(style)) throw new Error(`The style of the frame "${title}" cannot be written into HTML`)
        this.emitFile({ type: 'asset', fileName: 'index.html', source: html(title, inHtml(script), style, files?.(root)) })
        if (licences) this.emitFile({ type: 'asset', fileName: 'licences-of-parts.txt', source: licences(root) })
      },
    },
  }
}

/** In the texts and patterns of a script these would end it, or hide what follows. */
const inHtml = (script) => script.replace(/<(?=\/script|!--)/gi, '\\x3c')

function html(title, script, style, files) {
  const data = files === undefined ? '' : `<script type="application/json" id="bundled-files">${JSON.stringify(files)}</script>\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
${data}<script type="module">${script}</script>
</body>
</html>
`
}

const pdfjs = (root) => join(root, 'node_modules', 'pdfjs-dist')

function pdfFiles(root) {
  return {
    cMapUrl: filesOf(join(pdfjs(root), 'cmaps'), /\.bcmap$/),
    standardFontDataUrl: filesOf(join(pdfjs(root), 'standard_fonts'), /\.(pfb|ttf)$/),
  }
}

function filesOf(folder, names) {
  const found = readdirSync(folder).filter((file) => names.test(file))
  return Object.fromEntries(found.map((file) => [file, readFileSync(join(folder, file)).toString('base64')]))
}

function pdfLicences(root) {
  const texts = ['cmaps', 'standard_fonts', 'wasm'].flatMap((part) =>
    readdirSync(join(pdfjs(root), part))
      .filter((file) => /^licen[cs]e/i.test(file))
      .map((file) => `${part}/${file}\n\n${readFileSync(join(pdfjs(root), part, file), 'utf8').trim()}`),
  )
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
