// The frame that shows PDF files, as one document: it has no origin, so nothing that it needs can be loaded from anywhere.
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
      if (!DECODER_IMPORT.test(code)) throw new Error('pdf.js loads its decoders in another way than build-pdf.mjs knows')
      const imports = DECODERS.map((name) => `import parley_${name} from 'pdfjs-dist/wasm/${name}_nowasm_fallback.js'\n`)
      const table = DECODERS.map((name) => `'${name}_nowasm_fallback.js': parley_${name}`)
      return {
        code: `${imports.join('')}${code.replace(DECODER_IMPORT, `{ default: { ${table} }[this._noWasmFilename] }`)}`,
        map: null,
      }
    },
  }
}

/** A Vite plugin for the environment `pdf`: its script, style and files become index.html. */
export function pdfDocument(root) {
  const library = join(root, 'node_modules', 'pdfjs-dist')
  return {
    name: 'parley-pdf-document',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'pdf',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        let script = ''
        let style = ''
        for (const [name, output] of Object.entries(bundle)) {
          if (output.type === 'chunk') script += output.code
          else if (name.endsWith('.css')) style += output.source
          else continue
          delete bundle[name]
        }
        if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
          throw new Error('The PDF frame cannot be written into HTML')
        const files = JSON.stringify({
          cMapUrl: filesOf(join(library, 'cmaps'), /\.bcmap$/),
          standardFontDataUrl: filesOf(join(library, 'standard_fonts'), /\.(pfb|ttf)$/),
        })
        this.emitFile({ type: 'asset', fileName: 'index.html', source: html(script, style, files) })
        this.emitFile({ type: 'asset', fileName: 'licences-of-parts.txt', source: licencesOf(library) })
      },
    },
  }
}

function html(script, style, files) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>PDF</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="bundled-files">${files}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

function filesOf(folder, names) {
  const found = readdirSync(folder).filter((file) => names.test(file))
  return Object.fromEntries(found.map((file) => [file, readFileSync(join(folder, file)).toString('base64')]))
}

function licencesOf(library) {
  const texts = ['cmaps', 'standard_fonts', 'wasm'].flatMap((part) =>
    readdirSync(join(library, part))
      .filter((file) => /^licen[cs]e/i.test(file))
      .map((file) => `${part}/${file}\n\n${readFileSync(join(library, part, file), 'utf8').trim()}`),
  )
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
